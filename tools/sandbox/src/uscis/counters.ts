/** A request may come early by this share of the interval: network and clocks jitter. */
const TOLERANCE = 0.05;

export type SpikeArrest = ReturnType<typeof createSpikeArrest>;

/** Spike arrest with burst 1: one request per 1000/rate ms since the last admitted one, on the monotonic clock. */
export function createSpikeArrest() {
  let lastAdmitted = Number.NEGATIVE_INFINITY;
  return {
    admit(monotonicMs: number, ratePerSecond: number): boolean {
      if (monotonicMs - lastAdmitted < (1000 / ratePerSecond) * (1 - TOLERANCE)) return false;
      lastAdmitted = monotonicMs;
      return true;
    },
  };
}

export type DayQuota = ReturnType<typeof createDayQuota>;

/** Counts the requests of a day in a time zone; a refused request does not count. */
export function createDayQuota() {
  let day = '';
  let count = 0;
  function used(at: Date, zone: string): number {
    const today = dayIn(zone, at);
    if (today !== day) {
      day = today;
      count = 0;
    }
    return count;
  }
  return {
    used,
    take(at: Date, daily: number, zone: string): boolean {
      if (used(at, zone) >= daily) return false;
      count += 1;
      return true;
    },
  };
}

/** `zone` and the local date there; en-CA writes dates as YYYY-MM-DD. */
function dayIn(zone: string, at: Date): string {
  // UTC needs no calendar, and the arrival of each request is timed.
  if (zone === 'UTC') return at.toISOString().slice(0, 10);
  return `${zone} ${at.toLocaleDateString('en-CA', { timeZone: zone })}`;
}
