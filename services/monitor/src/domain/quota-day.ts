import { type Hours, openMsBetween } from './hours.ts';

/** `day`: `YYYY-MM-DD` in the time zone of the quota. Times are ms since 1970. */
type QuotaDay = { readonly day: string; readonly startsMs: number; readonly endsMs: number };

export type QuotaDays = ReturnType<typeof createQuotaDays>;

/** For different clocks and the time of a request, ms. */
const boundaryMs = 2_000;
// All time zones begin their days at a multiple of it.
const stepMs = 15 * 60_000;

export function createQuotaDays(zone: string, hours: Hours | null) {
  // en-CA writes dates as YYYY-MM-DD.
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  let last: QuotaDay = { day: '', startsMs: 0, endsMs: 0 };

  function at(now: Date): QuotaDay {
    const nowMs = now.getTime();
    if (nowMs >= last.startsMs && nowMs < last.endsMs) return last;
    const day = format.format(nowMs);
    let startsMs = Math.floor(nowMs / stepMs) * stepMs;
    let endsMs = startsMs + stepMs;
    while (format.format(startsMs - 1) === day) startsMs -= stepMs;
    while (format.format(endsMs) === day) endsMs += stepMs;
    last = { day, startsMs, endsMs };
    return last;
  }

  /** Opening time left in the quota day, ms. */
  const openMsLeft = (now: Date) => openMsBetween(hours, now, new Date(at(now).endsMs));

  return {
    at,
    openMsLeft,
    /** Part of the opening time of the quota day that is left, 0 to 1. */
    partLeft: (now: Date) => openMsLeft(now) / (openMsLeft(new Date(at(now).startsMs)) || 1),
    msUntilNext: (now: Date) => at(now).endsMs - now.getTime(),
    /**
     * Whether the clock of USCIS may show another day than `now`, or the machine's own clock shows another one: then nothing is
     * sent. A wrong clock alone can neither begin a day's quota early nor use up the one of a day that has ended.
     */
    isAtBoundary(now: Date, wall: Date): boolean {
      const { startsMs, endsMs } = at(now);
      const isOtherDay = wall.getTime() < startsMs || wall.getTime() >= endsMs;
      return isOtherDay || now.getTime() - startsMs < boundaryMs || endsMs - now.getTime() <= boundaryMs;
    },
  };
}
