import {
  type PartnerUser,
  toIso,
  toPartnerTime,
  type UserOfUpdate,
  type User as WireUser,
} from '@casewatch/contracts';
import type { User } from '../domain/user.ts';

/** U9: the user of PUT /v1/users/{user_id}. */
export function presentUserOfUpdate(user: User): UserOfUpdate {
  return {
    ...contactFields(user),
    ...notificationFlags(user),
    status: user.status,
    created_at: toIso(user.created_at),
    updated_at: toIso(user.updated_at),
  };
}

/** U11 with ISO times: write responses, and reads outside /v1/client. */
export function presentUser(user: User): WireUser {
  return {
    ...contactFields(user),
    preferred_language: user.preferred_language,
    email_verified_at: toIso(user.email_verified_at),
    ...notificationFlags(user),
    status: user.status,
    created_at: toIso(user.created_at),
    updated_at: toIso(user.updated_at),
  };
}

/** U11 with partner times: GET under /v1/client. */
export function presentPartnerUser(user: User): PartnerUser {
  return {
    ...presentUser(user),
    email_verified_at: toPartnerTime(user.email_verified_at),
    created_at: toPartnerTime(user.created_at),
    updated_at: toPartnerTime(user.updated_at),
  };
}

function contactFields({ _id, email, name, phone }: User) {
  return { id: _id, email, name, phone };
}

function notificationFlags({ notify_by_email, notify_by_whatsapp }: User) {
  return { notify_by_email, notify_by_whatsapp };
}
