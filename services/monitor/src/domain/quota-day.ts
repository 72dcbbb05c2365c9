/** One day of the government's quota: `YYYY-MM-DD` in its time zone, and when it begins and ends (ms since 1970). */
export type QuotaDay = { readonly day: string; readonly startsMs: number; readonly endsMs: number };

/** Tells which day of the quota a moment belongs to. */
export type QuotaDays = {
  at(now: Date): QuotaDay;
  /** Milliseconds until the next day begins. */
  msUntilNext(now: Date): number;
  /** Whether the government's clock may show another day than ours: then nothing is sent that would count for either. */
  isAtBoundary(now: Date): boolean;
};

/** Clocks differ, and a request takes its time, ms. */
const boundaryMs = 2_000;
/** A day has at most 25 hours, where the clocks are put back. */
const longestDaySeconds = 26 * 60 * 60;

/** The quota's days in a time zone. The day of the last question is remembered: the next one is of the same day. */
export function createQuotaDays(zone: string): QuotaDays {
  // en-CA writes dates as YYYY-MM-DD.
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  let last: QuotaDay = { day: '', startsMs: 0, endsMs: 0 };

  function at(now: Date): QuotaDay {
    const nowMs = now.getTime();
    if (nowMs < last.startsMs || nowMs >= last.endsMs) last = find(nowMs);
    return last;
  }

  function find(nowMs: number): QuotaDay {
    const day = format.format(nowMs);
    const isSame = (ms: number) => format.format(ms) === day;
    // Days begin at a whole second.
    const second = Math.floor(nowMs / 1_000);
    const before = boundary((n) => !isSame((second - n) * 1_000));
    const after = boundary((n) => !isSame((second + n) * 1_000));
    return { day, startsMs: (second - before + 1) * 1_000, endsMs: (second + after) * 1_000 };
  }

  return {
    at,
    msUntilNext: (now) => at(now).endsMs - now.getTime(),
    isAtBoundary(now) {
      const { startsMs, endsMs } = at(now);
      return now.getTime() - startsMs < boundaryMs || endsMs - now.getTime() <= boundaryMs;
    },
  };
}

/** The least n from 1 to a day's length in seconds for which it is true, where it stays true from there on. */
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
