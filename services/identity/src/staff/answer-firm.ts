import { maxActiveMembers } from '@casewatch/contracts';
import type { RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { logoUrlOf } from '../present/logo-url.ts';
import { alertsOf, awayUntilOf } from './alerts.ts';

/** Whom a firm's alerts reach. A firm that is suspended, or is being deleted, hears nothing. */
export function answerFirm(ctx: Context): RequestHandler<'identity.firm'> {
  return async ({ partner_id }) => {
    const partner = await ctx.stores.partners.find(partner_id);
    if (partner?.status !== 'active' || partner.deletion != null) return { firm: null, members: [] };
    const { name, support_contact, reply_to, email, time_zone } = partner;
    const members = await ctx.stores.staff.activeById(partner_id, maxActiveMembers);
    const now = ctx.clock.now();
    return {
      firm: {
        ...{ name, logo_url: logoUrlOf(ctx, partner), support_contact, reply_to },
        ...{ email, time_zone, names_in_mails: partner.names_in_mails ?? true },
      },
      members: members.map((member) => ({
        id: member._id,
        email: member.email ?? '',
        role: member.role,
        language: member.language,
        time_zone: member.time_zone ?? time_zone,
        alerts: alertsOf(member),
        away_until: awayUntilOf(member, now)?.toISOString() ?? null,
      })),
    };
  };
}
