import type { Language, UserStatus } from '@casewatch/contracts';

/** When a person agreed to WhatsApp messages, who recorded it, and to which text. */
type Consent = { readonly at: Date; readonly by: string; readonly text_version: string };

/** That a person switched a channel off themselves; lifted only by themselves (interface.md §3). */
export type OptOut = { readonly at: Date; readonly lifted_at: Date | null };

/** A user, as it is stored. `partner_id` null: a direct user. */
export type User = {
  readonly _id: number;
  readonly partner_id: number | null;
  readonly email: string;
  /** The address as it is compared. */
  readonly email_lower: string;
  /** The address that the person asked for; it takes effect once it is confirmed. Absent in rows of an older release. */
  readonly pending_email?: string | null;
  readonly name: string;
  readonly phone: string | null;
  readonly notify_by_email: boolean;
  readonly notify_by_whatsapp: boolean;
  readonly whatsapp_consent: Consent | null;
  readonly email_opt_out: OptOut | null;
  readonly whatsapp_opt_out: OptOut | null;
  readonly preferred_language: Language;
  readonly email_verified_at: Date | null;
  /** When a verification mail was last asked for again. */
  readonly verification_queued_at: Date | null;
  /** When they signed in last; null: never. */
  readonly last_sign_in_at: Date | null;
  readonly status: UserStatus;
  /** Who suspended; what the operator did a partner cannot lift. */
  readonly suspended_by: 'operator' | 'partner' | null;
  /** +1 at each change. */
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
};

/** The text that people agree to when WhatsApp messages are switched on. */
export const consentTextVersion = '2026-01';

/** Whether the present address is not proven: neither by a link nor by a sign-in with it. */
export function isUnverified({ email_verified_at }: User): boolean {
  return email_verified_at === null;
}

/** Whether the user never proved any address. Such a user never signed in, so they have no cases. */
export function wasNeverVerified(user: User): boolean {
  return isUnverified(user) && user.last_sign_in_at === null;
}

/** The name of a direct user who has not said another since the address was proven: what stands before the @. */
export function nameFromEmail(email: string): string {
  return email.slice(0, email.lastIndexOf('@'));
}

/** How addresses are compared (interface.md §3). */
export function toEmailLower(email: string): string {
  return email.toLowerCase();
}

export function isOptedOut(mark: OptOut | null): boolean {
  return mark !== null && mark.lifted_at === null;
}
