import { type Client, type PartnerPrincipal, toIso } from '@casewatch/contracts';
import type { Partner } from '../store/partners.ts';
import { newMemberAlertsOf } from '../staff/alerts.ts';
import { logoUrlOf, type PublicUrl } from './logo-url.ts';

export type Usage = Pick<
  Client,
  'user_count' | 'user_count_is_exact' | 'case_count' | 'case_count_is_exact' | 'limits'
>;
type Profile = { at: PublicUrl; partner: Partner; caller: PartnerPrincipal; usage: Usage };

/** A partner's own profile; `scopes` are those of the calling key. */
export function presentClient({ at, partner, caller, usage }: Profile, time: typeof toIso = toIso): Client {
  return {
    id: partner._id,
    name: partner.name,
    email: partner.email,
    logo_url: partner.logo_url,
    shown_logo_url: logoUrlOf(at, partner),
    logo_fault: partner.logo_fault ?? null,
    status: partner.status,
    scopes: caller.scopes,
    notify_unverified: partner.notify_unverified,
    case_url: partner.case_url,
    reply_to: partner.reply_to,
    pending_reply_to: partner.pending_reply_to ?? null,
    time_zone: partner.time_zone,
    calendar_addresses: partner.calendar_addresses ?? true,
    names_in_mails: partner.names_in_mails ?? true,
    new_member_alerts: newMemberAlertsOf(partner),
    second_factor: partner.second_factor ?? 'none',
    support_contact: partner.support_contact,
    ...usage,
    created_at: time(partner.created_at),
    updated_at: time(partner.updated_at),
  };
}
