import type { MailPartner } from '@casewatch/contracts';
import type { Context } from '../context.ts';
import { presentPartnerReply } from './partner-reply.ts';

/** What a mail shows of the partner of its reader, as mails about cases do; null without one. */
export async function mailPartnerOf(ctx: Context, partnerId: number | null): Promise<MailPartner | null> {
  const row = partnerId === null ? null : await ctx.stores.partners.find(partnerId);
  if (row === null) return null;
  const { name, logo_url, shown_logo_url, support_contact, reply_to } = presentPartnerReply(ctx, row);
  return { name, logo_url, shown_logo_url, support_contact, reply_to };
}
