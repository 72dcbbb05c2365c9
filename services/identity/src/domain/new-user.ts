import type { Body, Language, PartnerPrincipal } from '@casewatch/contracts';
import { recorderOf } from './decide-user-change.ts';
import { consentTextVersion, nameFromEmail, toEmailLower, type User } from './user.ts';

type OfPartner = { id: number; body: Body<'create_user'>; caller: PartnerPrincipal; now: Date };

/** A partner's new user, with the defaults of interface.md §3. */
export function newPartnerUser({ id, body, caller, now }: OfPartner): User {
  const wantsWhatsapp = body.notify_by_whatsapp ?? false;
  return {
    ...unverified(id, body.email, now),
    partner_id: caller.partner_id,
    name: body.name,
    phone: body.phone ?? null,
    notify_by_email: body.notify_by_email ?? true,
    notify_by_whatsapp: wantsWhatsapp,
    whatsapp_consent: wantsWhatsapp
      ? { at: now, by: recorderOf(caller), text_version: consentTextVersion }
      : null,
    preferred_language: body.preferred_language ?? 'en',
  };
}

type Direct = { id: number; email: string; notifyByEmail: boolean; language: Language; now: Date };

/**
 * Somebody who signed up. Name, phone and WhatsApp may be anybody's typing and would be cleared when the address is first
 * proven (interface.md §4, create user); until then nobody can read or use them, so they are not kept at all. A name is
 * never empty: it is what stands before the @ until the person says otherwise.
 */
export function newDirectUser({ id, email, notifyByEmail, language, now }: Direct): User {
  return {
    ...unverified(id, email, now),
    partner_id: null,
    name: nameFromEmail(email),
    phone: null,
    notify_by_email: notifyByEmail,
    notify_by_whatsapp: false,
    whatsapp_consent: null,
    preferred_language: language,
  };
}

function unverified(id: number, email: string, now: Date) {
  return {
    _id: id,
    email,
    email_lower: toEmailLower(email),
    pending_email: null,
    email_opt_out: null,
    whatsapp_opt_out: null,
    email_verified_at: null,
    verification_queued_at: null,
    last_sign_in_at: null,
    status: 'active',
    suspended_by: null,
    version: 1,
    created_at: now,
    updated_at: now,
  } as const;
}
