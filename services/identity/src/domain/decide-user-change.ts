import type { Body, Caller, ErrorCode, Fault, UserStatus } from '@casewatch/contracts';
import { phoneInUse, phoneRequired } from './check-user-body.ts';
import {
  consentTextVersion,
  isOptedOut,
  isRecentSignIn,
  type OptOut,
  toEmailLower,
  type User,
} from './user.ts';

type Changes = Body<'update_partner_user'>;
type ChangeRequest = { user: User; changes: Changes; caller: Caller; now: Date };

/**
 * The effect on the address: none (`same`), a partner's change takes effect (`changed`), a person's change must be
 * confirmed (`requested`), or the person gives up a requested change (`withdrawn`).
 */
type AddressChange = 'same' | 'changed' | 'requested' | 'withdrawn';

export type Decision =
  | { ok: true; set: Partial<User>; address: AddressChange; becomesSuspended: boolean }
  | { ok: false; code: ErrorCode; faults: Fault[] };

/** The rules of interface.md §3 for a change of a user by the person or by the partner. */
export function decideUserChange(request: ChangeRequest): Decision {
  const { user, changes, caller, now } = request;
  const address = addressChange(request);
  const refusal = refuse(request, address);
  if (refusal) return refusal;
  const { name, preferred_language, notify_by_email, status = user.status } = changes;
  const next: Partial<User> = {
    ...nextAddress(request, address),
    ...(name !== undefined && { name }),
    ...(preferred_language !== undefined && { preferred_language }),
    ...(notify_by_email !== undefined && { notify_by_email }),
    ...nextWhatsapp(request),
    ...nextOptOuts(user, changes, now),
    status,
    suspended_by: suspendedBy(user, status, caller),
  };
  const becomesSuspended = status === 'suspended' && user.status !== 'suspended';
  return { ok: true, set: differences(user, next), address, becomesSuspended };
}

function addressChange({ user, changes, caller }: ChangeRequest): AddressChange {
  const isOther = changes.email !== undefined && toEmailLower(changes.email) !== user.email_lower;
  if (isOther) return caller.kind === 'user' ? 'requested' : 'changed';
  return changes.email !== undefined && caller.kind === 'user' && hasPending(user) ? 'withdrawn' : 'same';
}

function hasPending(user: User): boolean {
  return user.pending_email !== null;
}

function nextAddress({ user, changes }: ChangeRequest, address: AddressChange): Partial<User> {
  if (changes.email === undefined) return {};
  if (address === 'requested') return { pending_email: changes.email };
  const next = { email: changes.email, email_lower: toEmailLower(changes.email) };
  if (address === 'same') return next;
  return {
    ...next,
    ...(hasPending(user) && { pending_email: null }),
    ...(address === 'changed' && { email_verified_at: null }),
  };
}

function refuse({ user, changes, caller, now }: ChangeRequest, address: AddressChange): Decision | null {
  const phone = changes.phone === undefined ? user.phone : changes.phone;
  if (phone === null && (changes.notify_by_whatsapp ?? user.notify_by_whatsapp)) {
    const fault = changes.notify_by_whatsapp ? phoneRequired() : phoneInUse();
    return { ok: false, code: 'validation_failed', faults: [fault] };
  }
  if (isHeldByOperator(user, changes.status, caller)) return refused('account_suspended');
  if (caller.kind === 'user' && address === 'requested' && !isRecentSignIn(caller, now)) {
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

/** A suspended person cannot change anything. A partner can, except lift a suspension by the operator. */
function isHeldByOperator(user: User, status: UserStatus | undefined, caller: Caller): boolean {
  if (user.status !== 'suspended') return false;
  if (caller.kind === 'user') return true;
  return user.suspended_by === 'operator' && status !== undefined && status !== 'suspended';
}

/** Consent belongs to one number: a new number ends it unless the same body switches the flag on. */
function nextWhatsapp({ user, changes, caller, now }: ChangeRequest): Partial<User> {
  const phone = changes.phone === undefined ? user.phone : changes.phone;
  const phoneChanged = phone !== user.phone;
  const flag = changes.notify_by_whatsapp ?? (phoneChanged ? false : user.notify_by_whatsapp);
  const current = phoneChanged || !user.notify_by_whatsapp ? null : user.whatsapp_consent;
  const consent = current ?? { at: now, by: recorderOf(caller), text_version: consentTextVersion };
  return { phone, notify_by_whatsapp: flag, whatsapp_consent: flag ? consent : null };
}

export function recorderOf(caller: Caller): string {
  return caller.kind === 'user'
    ? `user:${caller.user_id}`
    : `partner:${caller.partner_id}/key:${caller.key_id}`;
}

/** `refuse` lets only the person switch on a channel that the person had switched off. */
function nextOptOuts(user: User, changes: Changes, now: Date): Partial<User> {
  const lift = (optOut: OptOut | null) =>
    optOut?.lifted_at === null ? { at: optOut.at, lifted_at: now } : optOut;
  return {
    ...(changes.notify_by_email && { email_opt_out: lift(user.email_opt_out) }),
    ...(changes.notify_by_whatsapp && { whatsapp_opt_out: lift(user.whatsapp_opt_out) }),
  };
}

function suspendedBy(user: User, status: UserStatus, caller: Caller): User['suspended_by'] {
  if (status !== 'suspended') return null;
  if (user.status === 'suspended') return user.suspended_by;
  return caller.kind === 'partner' ? 'partner' : null;
}

function differences(user: User, next: Partial<User>): Partial<User> {
  const entries = Object.entries(next).filter(([key, value]) => value !== user[key as keyof User]);
  return Object.fromEntries(entries);
}
