import type { Body, Caller, ErrorCode, Fault, Language, UserStatus } from '@casewatch/contracts';
import { phoneInUse, phoneRequired } from './check-user-body.ts';
import { isRecentSignIn } from './recent-sign-in.ts';
import { consentTextVersion, isOptedOut, type OptOut, toEmailLower, type User } from './user.ts';

type Changes = Body<'update_partner_user'>;
type Situation = { user: User; changes: Changes; caller: Caller; now: Date };

/**
 * What a change does to the address: nothing (`same`), the partner's takes effect (`changed`), the person's has to be
 * confirmed (`asked`), or the person keeps the present one and what they had asked for is given up (`kept`).
 */
type AddressChange = 'same' | 'changed' | 'asked' | 'kept';

/** What is to be written, or why not. `set` holds only what differs. */
export type Decision =
  | { ok: true; set: Partial<User>; address: AddressChange; becomesSuspended: boolean }
  | { ok: false; code: ErrorCode; faults: Fault[] };

/** The rules of interface.md §3 for a change of a user, by themselves or by their partner. */
export function decideUserChange(situation: Situation): Decision {
  const { user, changes, caller, now } = situation;
  const address = addressChange(situation);
  const refusal = refuse(situation, address);
  if (refusal) return refusal;
  const status = changes.status ?? user.status;
  const next: Partial<User> = {
    ...nextAddress(situation, address),
    ...(changes.name !== undefined && { name: changes.name }),
    ...plain(changes),
    ...whatsapp(situation),
    ...liftedOptOuts(user, changes, now),
    status,
    suspended_by: suspendedBy(user, status, caller),
  };
  const becomesSuspended = status === 'suspended' && user.status !== 'suspended';
  return { ok: true, set: differences(user, next), address, becomesSuspended };
}

function addressChange({ user, changes, caller }: Situation): AddressChange {
  const isOther = changes.email !== undefined && toEmailLower(changes.email) !== user.email_lower;
  if (isOther) return caller.kind === 'user' ? 'asked' : 'changed';
  const hasPending = (user.pending_email ?? null) !== null;
  return changes.email !== undefined && caller.kind === 'user' && hasPending ? 'kept' : 'same';
}

function nextAddress({ user, changes }: Situation, address: AddressChange): Partial<User> {
  if (changes.email === undefined) return {};
  if (address === 'asked') return { pending_email: changes.email };
  const written = { email: changes.email, email_lower: toEmailLower(changes.email) };
  if (address === 'same') return written;
  const isGivenUp = (user.pending_email ?? null) !== null && { pending_email: null };
  return { ...written, ...isGivenUp, ...(address === 'changed' && { email_verified_at: null }) };
}

function refuse({ user, changes, caller, now }: Situation, address: AddressChange): Decision | null {
  const phone = changes.phone === undefined ? user.phone : changes.phone;
  if (phone === null && (changes.notify_by_whatsapp ?? user.notify_by_whatsapp)) {
    const mistake = changes.notify_by_whatsapp ? phoneRequired() : phoneInUse();
    return { ok: false, code: 'validation_failed', faults: [mistake] };
  }
  if (isHeldByOperator(user, changes.status, caller)) return refused('account_suspended');
  if (caller.kind === 'user' && address === 'asked' && !isRecentSignIn(caller, now)) {
    return refused('reauthentication_required');
  }
  const switchesOn =
    (changes.notify_by_email && isOptedOut(user.email_opt_out)) ||
    (changes.notify_by_whatsapp && isOptedOut(user.whatsapp_opt_out));
  return caller.kind === 'partner' && switchesOn ? refused('opted_out_by_user') : null;
}

function refused(code: ErrorCode): Decision {
  return { ok: false, code, faults: [] };
}

/** A suspended person changes nothing; a partner may, but cannot lift what the operator did. */
function isHeldByOperator(user: User, status: UserStatus | undefined, caller: Caller): boolean {
  if (user.status !== 'suspended') return false;
  if (caller.kind === 'user') return true;
  return user.suspended_by === 'operator' && status !== undefined && status !== 'suspended';
}

function plain(changes: Changes): { preferred_language?: Language; notify_by_email?: boolean } {
  return {
    ...(changes.preferred_language !== undefined && { preferred_language: changes.preferred_language }),
    ...(changes.notify_by_email !== undefined && { notify_by_email: changes.notify_by_email }),
  };
}

/** Consent belongs to one number: a changed number ends it unless the same body switches the flag on. */
function whatsapp({ user, changes, caller, now }: Situation): Partial<User> {
  const phone = changes.phone === undefined ? user.phone : changes.phone;
  const phoneChanged = phone !== user.phone;
  const flag = changes.notify_by_whatsapp ?? (phoneChanged ? false : user.notify_by_whatsapp);
  const kept = phoneChanged || !user.notify_by_whatsapp ? null : user.whatsapp_consent;
  const given = { at: now, by: recorderOf(caller), text_version: consentTextVersion };
  return { phone, notify_by_whatsapp: flag, whatsapp_consent: flag ? (kept ?? given) : null };
}

/** Who recorded a consent: ids only. */
export function recorderOf(caller: Caller): string {
  return caller.kind === 'user'
    ? `user:${caller.user_id}`
    : `partner:${caller.partner_id}/key:${caller.key_id}`;
}

/** Only the person gets here with a flag that they had switched off. */
function liftedOptOuts(user: User, changes: Changes, now: Date): Partial<User> {
  return {
    ...(changes.notify_by_email && { email_opt_out: lifted(user.email_opt_out, now) }),
    ...(changes.notify_by_whatsapp && { whatsapp_opt_out: lifted(user.whatsapp_opt_out, now) }),
  };
}

function lifted(mark: OptOut | null, now: Date): OptOut | null {
  return mark !== null && mark.lifted_at === null ? { at: mark.at, lifted_at: now } : mark;
}

function suspendedBy(user: User, status: UserStatus, caller: Caller): User['suspended_by'] {
  if (status !== 'suspended') return null;
  if (user.status === 'suspended') return user.suspended_by;
  return caller.kind === 'partner' ? 'partner' : null;
}

function differences(user: User, next: Partial<User>): Partial<User> {
  const changed = (Object.keys(next) as (keyof User)[]).filter((key) => next[key] !== user[key]);
  return Object.fromEntries(changed.map((key) => [key, next[key]])) as Partial<User>;
}
