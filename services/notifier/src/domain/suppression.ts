import type { Channel, UserReply } from '@casewatch/contracts';

/** That a person unsubscribed from a channel themselves. */
export type Suppression = {
  readonly at: Date;
  /** The user's version as identity told it then; null where it did not answer. */
  readonly user_version: number | null;
};

/**
 * Whether a person is to be told on a channel again. `contact.opted_out` makes identity put the flag off, and from then
 * on only the person can put it on (interface.md §3): a flag that is on in a user who changed after the suppression is
 * their own doing. A flag that is on in one who did not change since only means that identity has not heard of it yet.
 */
export function isOver({ at }: Suppression, user: UserReply, channel: Channel): boolean {
  return flagOf(user, channel) && Date.parse(user.updated_at) > at.getTime();
}

/**
 * Whether unsubscribing again has nothing new in it: identity's user is still the one of then (the event is under way),
 * or has changed once and the flag is off, which is what the event does. After any other change the person may have
 * opted in meanwhile, also where the flag is off again by other hands; then it is said again, which never does harm.
 */
export function isToldAlready({ user_version }: Suppression, user: UserReply, channel: Channel): boolean {
  if (user_version === null) return false;
  const changes = user.version - user_version;
  return changes <= (flagOf(user, channel) ? 0 : 1);
}

function flagOf(user: UserReply, channel: Channel): boolean {
  return channel === 'email' ? user.notify_by_email : user.notify_by_whatsapp;
}
