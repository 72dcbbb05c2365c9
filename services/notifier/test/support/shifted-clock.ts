import type { Clock } from '@casewatch/platform';

/** A clock that is `ms` ahead of this machine's; behind it where `ms` is negative. */
export function shiftedClock(ms: number): Clock {
  return { now: () => new Date(Date.now() + ms) };
}
