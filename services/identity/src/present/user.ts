import { toIso, type UserOfUpdate, type User as WireUser } from '@casewatch/contracts';
import type { User } from '../domain/user.ts';
import type { ListedUser } from '../store/users.ts';

/** U9: the user of PUT /v1/users/{user_id}. */
export function presentUserOfUpdate(user: User): UserOfUpdate {
  const { email_verified_at: _verifiedAt, preferred_language: _language, ...rest } = presentUser(user);
  return rest;
}

/** U11. Reads under /v1/client pass `toPartnerTime`. */
export function presentUser(user: ListedUser, time: typeof toIso = toIso): WireUser {
  return {
    id: user._id,
    email: user.email,
    name: user.name,
    phone: user.phone,
    preferred_language: user.preferred_language,
    email_verified_at: time(user.email_verified_at),
    notify_by_email: user.notify_by_email,
    notify_by_whatsapp: user.notify_by_whatsapp,
    status: user.status,
    created_at: time(user.created_at),
    updated_at: time(user.updated_at),
  };
}
