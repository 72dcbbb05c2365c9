import { type Hours, openMsBetween } from './hours.ts';

/** `day`: `YYYY-MM-DD` in the time zone of the quota. Times are ms since 1970. */
export type QuotaDay = { readonly day: string; readonly startsMs: number; readonly endsMs: number };

export type QuotaDays = ReturnType<typeof createQuotaDays>;

/** For different clocks and the time of a request, ms. */
const boundaryMs = 2_000;
// The end of daylight saving time makes a day of 25 hours.
const longestDaySeconds = 26 * 60 * 60;

export function createQuotaDays(zone: string) {
  // en-CA writes dates as YYYY-MM-DD.
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  let last: QuotaDay = { day: '', startsMs: 0, endsMs: 0 };

  function at(now: Date): QuotaDay {
    const nowMs = now.getTime();
    if (nowMs < last.startsMs || nowMs >= last.endsMs) last = find(nowMs);
    return last;
  }

  function find(nowMs: number): QuotaDay {
    const day = format.format(nowMs);
    const isSame = (ms: number) => format.format(ms) === day;
    const second = Math.floor(nowMs / 1_000);
    const before = boundary((n) => !isSame((second - n) * 1_000));
    const after = boundary((n) => !isSame((second + n) * 1_000));
    return { day, startsMs: (second - before + 1) * 1_000, endsMs: (second + after) * 1_000 };
  }

  return {
    at,
    msUntilNext: (now: Date) => at(now).endsMs - now.getTime(),
    /** Whether the clock of USCIS may show another day: then nothing is sent. */
    isAtBoundary(now: Date): boolean {
      const { startsMs, endsMs } = at(now);
      return now.getTime() - startsMs < boundaryMs || endsMs - now.getTime() <= boundaryMs;
    },
  };
}

/** Binary search: the least n from 1 to a day's seconds for which `isBeyond` is true. */
function boundary(isBeyond: (n: number) => boolean): number {
  let low = 0;
  let high = longestDaySeconds;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isBeyond(middle)) high = middle;
    else low = middle;
  }
  return high;
}

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
