/** Receipts with the same interval: of a `rate-…` bucket it follows from the plan (plan.ts), of others it is fixed. */
export type Bucket = string;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Geometric steps, changes per day: 0.00001 to 0.5. */
const slowest = 0.000_01;
const step = 1.6;
const count = 24;

export const changesPerDay: ReadonlyMap<Bucket, number> = new Map(
  Array.from({ length: count }, (_, i) => [`rate-${String(i).padStart(2, '0')}`, slowest * step ** i]),
);
export const rateBuckets: readonly Bucket[] = [...changesPerDay.keys()];

/** A status that the public data does not have (public average), changes per day. */
export const usualRate = 0.006;

/** A case waits for its first status: it was resumed, or an operator asked for it. */
export const firstCheck: Bucket = 'first';
/** The same, and nobody waits for it, as for each case of an import. The plan counts it as a receipt of an unknown status. */
export const deferredCheck: Bucket = 'deferred';
export const afterAnHour: Bucket = 'after-1h';
export const afterADay: Bucket = 'after-24h';

const retryMinutes = [1, 2, 4, 8, 16, 32, 60];

const fixedMs = new Map<Bucket, number>([
  [firstCheck, 0],
  ...retryMinutes.map((minutes): [Bucket, number] => [`retry-${minutes}m`, minutes * minuteMs]),
  [afterAnHour, hourMs],
  ['after-6h', 6 * hourMs],
]);

/** Interval of a bucket with a fixed one, ms. A bucket that this release does not know is due once a day. */
export const fixedIntervalMs = (bucket: Bucket): number => fixedMs.get(bucket) ?? dayMs;

export function bucketOfRate(rate: number): Bucket {
  const position = Math.round(Math.log(rate / slowest) / Math.log(step));
  return rateBuckets[Math.min(Math.max(position, 0), count - 1)] ?? firstCheck;
}

export function retryBucket(failures: number): Bucket {
  return `retry-${retryMinutes[Math.min(Math.max(failures, 1), retryMinutes.length) - 1]}m`;
}

const classes = ['very_slow', 'slow', 'medium', 'fast'] as const;

export const scheduleClasses = [...classes, 'first_check', 'retry', 'fixed'] as const;

/** The buckets in few groups, for people and metrics. */
export function classOfBucket(bucket: Bucket): (typeof scheduleClasses)[number] {
  const position = rateBuckets.indexOf(bucket);
  if (position >= 0) return classes[Math.floor((position * classes.length) / count)] ?? 'fast';
  if (bucket === firstCheck || bucket === deferredCheck) return 'first_check';
  return bucket.startsWith('retry-') ? 'retry' : 'fixed';
}
