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

/** Counts the requests of a UTC day; a refused one is not counted. */
export interface DayQuota {
  take: (at: Date, daily: number) => boolean;
  used: (at: Date) => number;
}

export function createDayQuota(): DayQuota {
  let day = '';
  let count = 0;
  const used = (at: Date) => {
    const today = at.toISOString().slice(0, 10);
    if (today !== day) {
      day = today;
      count = 0;
    }
    return count;
  };
  const take = (at: Date, daily: number) => {
    if (used(at) >= daily) return false;
    count += 1;
    return true;
  };
  return { take, used };
}
