import type { MailPartner } from '@casewatch/contracts';
import type { Partner } from '../store/partners.ts';
import { logoUrlOf, type PublicUrl } from './logo-url.ts';

/** The context, as far as it is needed here. */
type Partners = PublicUrl & {
  readonly stores: { readonly partners: { find(id: number): Promise<Partner | null> } };
};

/** What a mail shows of the partner of its reader, as mails about cases do; null without one. */
export async function mailPartnerOf(at: Partners, partnerId: number | null): Promise<MailPartner | null> {
  const row = partnerId === null ? null : await at.stores.partners.find(partnerId);
  if (row === null) return null;
  const { name, support_contact, reply_to } = row;
  return { name, logo_url: logoUrlOf(at, row), support_contact, reply_to };
}
