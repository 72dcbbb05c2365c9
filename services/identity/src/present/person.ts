import { type Person, toIso } from '@casewatch/contracts';
import type { User } from '../domain/user.ts';
import type { Partner } from '../store/partners.ts';
import { logoUrlOf, type PublicUrl } from './logo-url.ts';

/** A user as other services may see it. `partner`: that of the user. */
export function presentPerson(at: PublicUrl, user: User, partner: Partner | null): Person {
  return {
    id: user._id,
    partner_id: user.partner_id,
    email: user.email,
    name: user.name,
    phone: user.phone,
    status: user.status,
    preferred_language: user.preferred_language,
    notify_by_email: user.notify_by_email,
    notify_by_whatsapp: user.notify_by_whatsapp,
    whatsapp_consent_at: toIso(user.whatsapp_consent?.at ?? null),
    email_verified_at: toIso(user.email_verified_at),
    version: user.version,
    created_at: toIso(user.created_at),
    updated_at: toIso(user.updated_at),
    partner_name: partner?.name ?? null,
    partner_logo_url: logoUrlOf(at, partner),
    partner_notify_unverified: partner?.notify_unverified ?? false,
    partner_case_url: partner?.case_url ?? null,
    partner_reply_to: partner?.reply_to ?? null,
    partner_support_contact: partner?.support_contact ?? null,
    partner_time_zone: partner?.time_zone ?? null,
  };
}
