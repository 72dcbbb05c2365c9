import {
  type Bucket,
  changesPerDay,
  dayMs,
  deferredCheck,
  firstCheck,
  fixedIntervalMs,
  usualRate,
} from './buckets.ts';

export type BucketCounts = ReadonlyMap<Bucket, number>;

/** `scale`: MONITOR_INTERVAL_SCALE. */
type Options = { perDay: number; scale: number };

export type Plan = ReturnType<typeof planOf>;

const shortestMs = 30 * 60_000;
const longestMs = 30 * dayMs;
const steps = 40;

/** Of the buckets whose interval follows from the plan. */
const rates: ReadonlyMap<Bucket, number> = new Map([...changesPerDay, [deferredCheck, usualRate]]);

/** A pause between a check and the next, ms: in development it would be longer than the shortest interval. */
export const pauseMs = (ms: number, scale: number): number => Math.min(ms, shortestMs * scale);

/**
 * Intervals are `c / √rate`: for a number of checks, the mean delay between a change and its detection is then smallest.
 * `c` is such that all receipts need `perDay` checks, within 30 minutes and 30 days. If 30 days need more, all are extended.
 */
export function planFor(counts: BucketCounts, { perDay, scale }: Options): Plan {
  const longest = planOf(Number.POSITIVE_INFINITY, scale);
  const rated = new Map([...counts].filter(([bucket]) => rates.has(bucket)));
  const needed = longest.neededPerDay(rated);
  const fixed = longest.neededPerDay(counts) - needed;
  // Fixed intervals never take it all.
  const available = Math.max(perDay - fixed, perDay / 2);
  if (needed > available) return planOf(Number.POSITIVE_INFINITY, scale, needed / available);
  const isEnough = (c: number) => planOf(c, scale).neededPerDay(rated) <= available;
  return planOf(leastOf(shortestMs * scale * 1e-3, longestMs * scale, isEnough), scale);
}

/** The least number between two limits for which `isEnough` is true. */
export function leastOf(low: number, high: number, isEnough: (value: number) => boolean): number {
  let [under, enough] = [low, high];
  for (let i = 0; i < steps; i++) {
    const middle = Math.sqrt(under * enough);
    if (isEnough(middle)) enough = middle;
    else under = middle;
  }
  return enough;
}

/** `c`: interval at one change per day, ms. */
function planOf(c: number, scale: number, extension = 1) {
  const allowedMs = (ms: number) => Math.min(Math.max(ms, shortestMs * scale), longestMs * scale) * extension;
  const intervals = new Map([...rates].map(([bucket, rate]) => [bucket, allowedMs(c / Math.sqrt(rate))]));
  const intervalMs = (bucket: Bucket) => intervals.get(bucket) ?? fixedIntervalMs(bucket) * scale;
  return {
    intervalMs,
    /** Receipts may be checked from this time on if nothing else is due: no quota stays unused. */
    shortestMs(bucket: Bucket): number {
      if (bucket === deferredCheck) return 0;
      return intervals.has(bucket)
        ? Math.max(shortestMs * scale, intervalMs(bucket) / 2)
        : intervalMs(bucket);
    },
    neededPerDay(counts: BucketCounts): number {
      let sum = 0;
      for (const [bucket, receipts] of counts)
        if (bucket !== firstCheck) sum += (receipts * dayMs) / intervalMs(bucket);
      return sum;
    },
  };
}

/** `checkedMs`: where the interval begins, as `nowMs` in ms since 1970. */
export type Oldest = { readonly bucket: Bucket; readonly checkedMs: number };

export function mostUrgent<T extends Oldest>(oldest: Iterable<T>, nowMs: number, plan: Plan): T | undefined {
  let best: T | undefined;
  let bestUrgency = Number.NEGATIVE_INFINITY;
  for (const candidate of oldest) {
    const waitedMs = nowMs - candidate.checkedMs;
    if (waitedMs < plan.shortestMs(candidate.bucket)) continue;
    const urgency = urgencyOf(candidate.bucket, waitedMs, plan.intervalMs(candidate.bucket));
    if (urgency > bestUrgency) [best, bestUrgency] = [candidate, urgency];
  }
  return best;
}

/**
 * The first check of a case is the most urgent; then lateness counts, in intervals: from 1 on a receipt is due. A deferred first check
 * comes after all that are due and before the others, so no receipt is checked late because of an import (firm.md §6). After an
 * interval it is due itself.
 */
function urgencyOf(bucket: Bucket, waitedMs: number, intervalMs: number): number {
  if (bucket === firstCheck) return Number.MAX_SAFE_INTEGER / 2 + waitedMs;
  if (bucket === deferredCheck) return Math.max(1 - 1e-6 / (1 + waitedMs / 1_000), waitedMs / intervalMs);
  if (changesPerDay.has(bucket)) return waitedMs / intervalMs;
  // The lateness of a retry counts in days: minutes would be more urgent than everything else.
  return 1 + (waitedMs - intervalMs) / Math.max(intervalMs, dayMs);
}
