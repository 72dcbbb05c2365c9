import { type Bucket, classOfBucket, type ScheduleClass, scheduleClasses } from './buckets.ts';
import { quantileOf } from './counted.ts';
import { type BucketCounts, type Plan, planFor } from './plan.ts';

/** Seconds: half, and 95 %, of the receipts have at most this interval. */
export type Intervals = { p50: number; p95: number };

export type BucketStats = { bucket: Bucket; receipts: number; oldest_at: Date };

/** Required checks and quota, as `GET /v1/status` shows them (monitor.md, Schedule). */
export type Capacity = {
  watched_receipts: number;
  needed_per_day: number;
  available_per_day: number;
  planned: Intervals | null;
  real: Intervals | null;
  /** Receipts of the present mix that can be added before the planned median interval is too long. */
  room: number;
  by_class: { class: ScheduleClass; receipts: number; needed_per_day: number }[];
};

type Options = { plan: Plan; perDay: number; scale: number; maxMedianMs: number };

/** Receipts without a status of a new deployment. */
const usualBucket = 'rate-14';
const steps = 40;

export function capacityOf(stats: readonly BucketStats[], takenAt: Date, options: Options): Capacity {
  const { plan, perDay } = options;
  const counts = new Map(stats.map(({ bucket, receipts }) => [bucket, receipts]));
  const groups = Map.groupBy(stats, ({ bucket }) => classOfBucket(bucket));
  const rows = scheduleClasses.map((name) => {
    const inClass = new Map((groups.get(name) ?? []).map(({ bucket, receipts }) => [bucket, receipts]));
    return { class: name, receipts: sizeOf(inClass), needed_per_day: plan.neededPerDay(inClass) };
  });
  // The bucket is a queue: the age of its oldest check is the interval that receipts get now.
  const ageMs = new Map(
    stats.map(({ bucket, oldest_at }) => [bucket, takenAt.getTime() - oldest_at.getTime()]),
  );
  return {
    watched_receipts: sizeOf(counts),
    needed_per_day: plan.neededPerDay(counts),
    available_per_day: perDay,
    planned: intervalsOf(counts, plan.intervalMs),
    real: intervalsOf(counts, (bucket) => Math.max(0, ageMs.get(bucket) ?? 0)),
    room: roomFor(counts, options),
    by_class: rows,
  };
}

export function medianMs(counts: BucketCounts, plan: Plan): number {
  return (intervalsOf(counts, plan.intervalMs)?.p50 ?? 0) * 1_000;
}

function intervalsOf(counts: BucketCounts, intervalMs: (bucket: Bucket) => number): Intervals | null {
  const rows = [...counts].map(([bucket, receipts]) => ({ receipts, ms: intervalMs(bucket) }));
  rows.sort((a, b) => a.ms - b.ms);
  const quantile = (share: number) => (quantileOf(rows, share)?.ms ?? 0) / 1_000;
  return sizeOf(counts) === 0 ? null : { p50: quantile(0.5), p95: quantile(0.95) };
}

function roomFor(counts: BucketCounts, { perDay, scale, maxMedianMs }: Options): number {
  const watched = sizeOf(counts);
  const mix = watched === 0 ? new Map([[usualBucket, 1]]) : counts;
  const size = Math.max(watched, 1);
  const isFull = (factor: number) => {
    const more = new Map([...mix].map(([bucket, receipts]) => [bucket, receipts * factor]));
    return medianMs(more, planFor(more, { perDay, scale })) > maxMedianMs;
  };
  let [low, high] = [0, 1];
  while (!isFull(high) && high < 1e9) high *= 2;
  for (let i = 0; i < steps; i++) {
    const middle = (low + high) / 2;
    if (isFull(middle)) high = middle;
    else low = middle;
  }
  return Math.max(0, Math.floor(low * size) - watched);
}

function sizeOf(counts: BucketCounts): number {
  return [...counts.values()].reduce((sum, receipts) => sum + receipts, 0);
}
