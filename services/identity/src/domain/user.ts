import type { Language, UserPrincipal, UserStatus } from '@casewatch/contracts';

/** Consent to WhatsApp messages: when, who recorded it, and to which text. */
type Consent = { readonly at: Date; readonly by: string; readonly text_version: string };

/** The person switched a channel off. Only the person can lift it (interface.md §3). */
export type OptOut = { readonly at: Date; readonly lifted_at: Date | null };

export type User = {
  readonly _id: number;
  readonly partner_id: number | null;
  readonly email: string;
  readonly email_lower: string;
  /** The requested new address, until it is confirmed. */
  readonly pending_email: string | null;
  readonly name: string;
  readonly phone: string | null;
  readonly notify_by_email: boolean;
  readonly notify_by_whatsapp: boolean;
  readonly whatsapp_consent: Consent | null;
  readonly email_opt_out: OptOut | null;
  readonly whatsapp_opt_out: OptOut | null;
  readonly preferred_language: Language;
  readonly email_verified_at: Date | null;
  readonly verification_queued_at: Date | null;
  readonly last_sign_in_at: Date | null;
  readonly status: UserStatus;
  /** A partner cannot lift a suspension by the operator. */
  readonly suspended_by: 'operator' | 'partner' | null;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
};

/** Of the consent to WhatsApp messages on the page of settings (gateway, settings-texts.ts). A changed text is a new version. */
export const consentTextVersion = '2026-11';

/** Longest time since sign-in to change the address or delete the account, seconds (interface.md §4). */
const recentSeconds = 15 * 60;

export function isRecentSignIn(caller: UserPrincipal, now: Date): boolean {
  return now.getTime() / 1000 - caller.signed_in_at <= recentSeconds;
}

export function isUnverified({ email_verified_at }: User): boolean {
  return email_verified_at === null;
}

/** Somebody who may be asked to verify the address: who gets no mails about cases need not verify it for them. */
export function mayBeAskedToVerify(user: User): boolean {
  return (
    isUnverified(user) && user.status === 'active' && user.notify_by_email && !isOptedOut(user.email_opt_out)
  );
}

/** Whether any messages about cases are on. */
export function getsMessages(user: User): boolean {
  const byEmail = user.notify_by_email && !isOptedOut(user.email_opt_out);
  return byEmail || (user.notify_by_whatsapp && !isOptedOut(user.whatsapp_opt_out));
}

/** Whether no address of the user was ever verified. Such a user never signed in and has no cases. */
export function wasNeverVerified(user: User): boolean {
  return isUnverified(user) && user.last_sign_in_at === null;
}

export function nameFromEmail(email: string): string {
  return email.slice(0, email.lastIndexOf('@'));
}

/** Addresses are compared without case (interface.md §3). */
export function toEmailLower(email: string): string {
  return email.toLowerCase();
}

/** `maria@example.com` → `m***@example.com` */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, Math.min(1, at))}***${email.slice(at)}`;
}

export function isOptedOut(optOut: OptOut | null): boolean {
  return optOut !== null && optOut.lifted_at === null;
}
