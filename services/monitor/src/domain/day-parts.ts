import { type Hours, openMsBetween } from './hours.ts';
import type { QuotaDays } from './quota-day.ts';

export type DayParts = {
  /** Part of the opening time of the quota day that is left, 0 to 1. */
  left(now: Date): number;
  /** Opening time left in the quota day, ms. */
  openMsLeft(now: Date): number;
};

/** To count opening time is slow, so it is counted once in this time, ms. */
const validMs = 60_000;

export function createDayParts(days: QuotaDays, hours: Hours | null): DayParts {
  let counted = { fromMs: Number.POSITIVE_INFINITY, day: '', wholeMs: 0, leftMs: 0 };

  function countedAt(now: Date) {
    const { day, startsMs, endsMs } = days.at(now);
    const sinceMs = now.getTime() - counted.fromMs;
    if (counted.day !== day || !(sinceMs >= 0 && sinceMs < validMs)) {
      const end = new Date(endsMs);
      counted = {
        fromMs: now.getTime(),
        day,
        wholeMs: openMsBetween(hours, new Date(startsMs), end),
        leftMs: openMsBetween(hours, now, end),
      };
    }
    return counted;
  }

  return {
    left(now) {
      const { wholeMs, leftMs } = countedAt(now);
      return wholeMs === 0 ? 0 : leftMs / wholeMs;
    },
    openMsLeft: (now) => countedAt(now).leftMs,
  };
}
