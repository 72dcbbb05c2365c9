import type { Body, Language, PartnerPrincipal } from '@casewatch/contracts';
import { recorderOf } from './decide-user-change.ts';
import { consentTextVersion, nameFromEmail, toEmailLower, type User } from './user.ts';

type PartnerUserInput = { id: number; body: Body<'create_user'>; caller: PartnerPrincipal; now: Date };

export function newPartnerUser({ id, body, caller, now }: PartnerUserInput): User {
  const consent = { at: now, by: recorderOf(caller), text_version: consentTextVersion };
  return {
    ...newUser(id, body.email, now),
    partner_id: caller.partner_id,
    name: body.name,
    phone: body.phone ?? null,
    notify_by_email: body.notify_by_email ?? true,
    notify_by_whatsapp: body.notify_by_whatsapp ?? false,
    whatsapp_consent: body.notify_by_whatsapp ? consent : null,
    preferred_language: body.preferred_language ?? 'en',
  };
}

type DirectUserInput = { id: number; email: string; notifyByEmail: boolean; language: Language; now: Date };

/** Name, phone and WhatsApp of a sign-up are not kept: another person may have typed them (interface.md §4, create user). */
export function newDirectUser({ id, email, notifyByEmail, language, now }: DirectUserInput): User {
  return { ...newUser(id, email, now), notify_by_email: notifyByEmail, preferred_language: language };
}

function newUser(id: number, email: string, now: Date): User {
  return {
    _id: id,
    partner_id: null,
    name: nameFromEmail(email),
    email,
    email_lower: toEmailLower(email),
    pending_email: null,
    phone: null,
    notify_by_email: true,
    notify_by_whatsapp: false,
    whatsapp_consent: null,
    email_opt_out: null,
    whatsapp_opt_out: null,
    preferred_language: 'en',
    email_verified_at: null,
    verification_queued_at: null,
    last_sign_in_at: null,
    status: 'active',
    suspended_by: null,
    version: 1,
    created_at: now,
    updated_at: now,
  };
}
