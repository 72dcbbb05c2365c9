import type { Body, PartnerPrincipal } from '@casewatch/contracts';
import { callerName } from './decide-user-change.ts';
import { consentTextVersion, toEmailLower, type User } from './user.ts';

type Input = { id: number; body: Body<'create_partner_user'>; caller: PartnerPrincipal; now: Date };

/** A partner's new user, with the defaults of interface.md §3. */
export function newPartnerUser({ id, body, caller, now }: Input): User {
  const wantsWhatsapp = body.notify_by_whatsapp ?? false;
  return {
    _id: id,
    partner_id: caller.partner_id,
    email: body.email,
    email_lower: toEmailLower(body.email),
    name: body.name,
    phone: body.phone ?? null,
    notify_by_email: body.notify_by_email ?? true,
    notify_by_whatsapp: wantsWhatsapp,
    whatsapp_consent: wantsWhatsapp
      ? { at: now, by: callerName(caller), text_version: consentTextVersion }
      : null,
    email_opt_out: null,
    whatsapp_opt_out: null,
    preferred_language: body.preferred_language ?? 'en',
    email_verified_at: null,
    status: 'active',
    suspended_by: null,
    version: 1,
    created_at: now,
    updated_at: now,
  };
}
