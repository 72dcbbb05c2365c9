/** Share of the interval a request may come early: the jitter of a network and two clocks. */
const TOLERANCE = 0.05;

/** Spike arrest with burst 1: one request per 1000/rate ms since the last one admitted, by the monotonic clock. */
export interface SpikeArrest {
  admit: (monotonicMs: number, ratePerSecond: number) => boolean;
}

export function createSpikeArrest(): SpikeArrest {
  let lastAdmitted = Number.NEGATIVE_INFINITY;
  const admit = (monotonicMs: number, ratePerSecond: number) => {
    if (monotonicMs - lastAdmitted < (1000 / ratePerSecond) * (1 - TOLERANCE)) return false;
    lastAdmitted = monotonicMs;
    return true;
  };
  return { admit };
}

/** Counts the requests of a day in a time zone; a refused one is not counted. */
export interface DayQuota {
  take: (at: Date, daily: number, zone: string) => boolean;
  used: (at: Date, zone: string) => number;
}

export function createDayQuota(): DayQuota {
  let day = '';
  let count = 0;
  const used = (at: Date, zone: string) => {
    const today = dayIn(zone, at);
    if (today !== day) {
      day = today;
      count = 0;
    }
    return count;
  };
  const take = (at: Date, daily: number, zone: string) => {
    if (used(at, zone) >= daily) return false;
    count += 1;
    return true;
  };
  return { take, used };
}

/** `zone` and the local date there; en-CA writes dates as YYYY-MM-DD. */
function dayIn(zone: string, at: Date): string {
  // UTC needs no calendar: it is asked for with every request, whose arrival is being timed.
  if (zone === 'UTC') return at.toISOString().slice(0, 10);
  return `${zone} ${at.toLocaleDateString('en-CA', { timeZone: zone })}`;
}
