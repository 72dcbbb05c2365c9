import { type Hours, openMsBetween } from './hours.ts';
import type { QuotaDays } from './quota-day.ts';

export function createDayParts(days: QuotaDays, hours: Hours | null) {
  let counted = { minute: Number.NaN, wholeMs: 0, leftMs: 0 };

  /** Once a minute, because to count opening time is slow. */
  function countedAt(now: Date) {
    const minute = Math.floor(now.getTime() / 60_000);
    if (counted.minute === minute) return counted;
    const { startsMs, endsMs } = days.at(now);
    const end = new Date(endsMs);
    const wholeMs = openMsBetween(hours, new Date(startsMs), end);
    counted = { minute, wholeMs, leftMs: openMsBetween(hours, now, end) };
    return counted;
  }

  return {
    /** Part of the opening time of the quota day that is left, 0 to 1. */
    left(now: Date): number {
      const { wholeMs, leftMs } = countedAt(now);
      return wholeMs === 0 ? 0 : leftMs / wholeMs;
    },
    /** Opening time left in the quota day, ms. */
    openMsLeft: (now: Date) => countedAt(now).leftMs,
  };
}
