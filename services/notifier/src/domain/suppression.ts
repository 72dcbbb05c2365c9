import type { Channel, PersonWith } from '@casewatch/contracts';

type Flags = PersonWith<'notify_by_email' | 'notify_by_whatsapp'>;

export type Suppression = {
  readonly at: Date;
  /** The user's version at that time; null if identity did not answer. */
  readonly user_version: number | null;
};

/** Why an address gets no status messages; also after the user is erased. */
export type AddressReason = 'hard_bounce' | 'complaint' | 'opt_out';

export type AddressSuppression = { readonly reason: AddressReason; readonly at: Date };

const dayMs = 24 * 60 * 60 * 1_000;

/** Whether a stop word came less than a day ago: then another one is not confirmed again. */
export function isJustStopped({ reason, at }: AddressSuppression, now: Date): boolean {
  return reason === 'opt_out' && now.getTime() - at.getTime() < dayMs;
}

/** A verification after the bounce proves that the mailbox exists. */
export function isAddressProven({ reason, at }: AddressSuppression, verifiedAt: string | null): boolean {
  return reason === 'hard_bounce' && verifiedAt !== null && Date.parse(verifiedAt) > at.getTime();
}

/**
 * Whether the person opted in again. After `contact.opted_out` only the person can switch the flag on (interface.md §3).
 * A flag that is on in an unchanged user means that identity has not handled the event yet.
 */
export function isOver(
  { at }: Suppression,
  user: Flags & PersonWith<'updated_at'>,
  channel: Channel,
): boolean {
  return flagOf(user, channel) && Date.parse(user.updated_at) > at.getTime();
}

/**
 * Whether a second opt-out needs no event: the user is unchanged, or has changed once and the flag is off. After any
 * other change the person may have opted in; a repeated event does no harm.
 */
export function isAlreadyPublished(
  { user_version }: Suppression,
  user: Flags & PersonWith<'version'>,
  channel: Channel,
): boolean {
  if (user_version === null) return false;
  const changes = user.version - user_version;
  return changes <= (flagOf(user, channel) ? 0 : 1);
}

function flagOf(user: Flags, channel: Channel): boolean {
  return channel === 'email' ? user.notify_by_email : user.notify_by_whatsapp;
}
