/** A token bucket that spreads scheduled checks over the quota day. `atMs`: monotonic clock. */
export type Bucket = { readonly checks: number; readonly atMs: number };

export type Refill = { readonly size: number; readonly perMs: number };

export function refilled(bucket: Bucket, { size, perMs }: Refill, nowMs: number): Bucket {
  const checks = bucket.checks + Math.max(0, nowMs - bucket.atMs) * perMs;
  return { checks: Math.min(size, checks), atMs: nowMs };
}

type Left = {
  checks: number;
  /** Opening time left in the quota day, ms. */
  openMs: number;
};

export function refillFor({ checks, openMs }: Left, size: number): Refill {
  return { size, perMs: openMs <= 0 ? Number.POSITIVE_INFINITY : Math.max(0, checks) / openMs };
}
