import type { UserPrincipal } from '@casewatch/contracts';

/** Longest time since sign-in in which a user may change the address or delete themselves, seconds (interface.md §4). */
const recentSeconds = 15 * 60;

/** Whether the person signed in lately enough for what cannot be taken back. */
export function isRecentSignIn(caller: UserPrincipal, now: Date): boolean {
  return now.getTime() / 1000 - caller.signed_in_at <= recentSeconds;
}
