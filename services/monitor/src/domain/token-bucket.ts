/**
 * How the background's part of the day is spread over it: a bucket of checks that may be made at once, filled evenly
 * with what is left of the day. Times are milliseconds of a monotonic clock.
 */
export type Bucket = { readonly checks: number; readonly atMs: number };

/** What fills a bucket: `size` checks at most, `perMs` of them each millisecond. */
export type Refill = { readonly size: number; readonly perMs: number };

/** The bucket as it is at `nowMs`. */
export function refilled(bucket: Bucket, { size, perMs }: Refill, nowMs: number): Bucket {
  const checks = bucket.checks + Math.max(0, nowMs - bucket.atMs) * perMs;
  return { checks: Math.min(size, checks), atMs: nowMs };
}

type Left = {
  /** Checks that are left to the schedule today. */
  checks: number;
  /** Time until the quota's day ends in which the service is open, ms. */
  openMs: number;
};

/** After an outage more is left for less time: the backlog is spread over the rest of the day. */
export function refillFor({ checks, openMs }: Left, size: number): Refill {
  return { size, perMs: openMs <= 0 ? Number.POSITIVE_INFINITY : Math.max(0, checks) / openMs };
}
