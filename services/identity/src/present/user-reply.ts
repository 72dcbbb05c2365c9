import { toIso, type UserReply } from '@casewatch/contracts';
import type { User } from '../domain/user.ts';
import type { Brand } from '../store/partners.ts';
import { logoUrlOf, type PublicUrl } from './logo-url.ts';

/** A user as other services see it. `brand`: of the user's partner. */
export function presentUserReply(at: PublicUrl, user: User, brand: Brand | null): UserReply {
  return {
    id: user._id,
    partner_id: user.partner_id,
    partner_name: brand?.name ?? null,
    partner_logo_url: logoUrlOf(at, brand),
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
  };
}
