import { type Bucket, bucketOfRate, classOfBucket, scheduleClasses, usualRate } from './buckets.ts';
import { type Hours, openTimeOf } from './hours.ts';
import { type BucketCounts, leastOf, type Plan, planFor } from './plan.ts';
import { type Quantiles, quantilesOf, sumOf } from './quantiles.ts';

export type BucketStats = { bucket: Bucket; receipts: number; oldest_at: Date };

export type Capacity = ReturnType<typeof capacityOf>;

type Options = { plan: Plan; perDay: number; scale: number; maxMedianMs: number };

/** Receipts without a status of a new deployment. */
const usualBucket = bucketOfRate(usualRate);

/** Required checks and quota, as `GET /v1/status` shows them (monitor.md, Schedule). Intervals are in seconds. */
export function capacityOf(stats: readonly BucketStats[], takenAt: Date, options: Options) {
  const { plan, perDay } = options;
  const neededPerDay = (rows: readonly Count[]) => Math.ceil(plan.neededPerDay(countsOf(rows)));
  const groups = Map.groupBy(stats, ({ bucket }) => classOfBucket(bucket));
  const planned = intervalsOf(stats, ({ bucket }) => plan.intervalMs(bucket));
  return {
    watched_receipts: sumOf(stats),
    planned,
    // The bucket is a queue: the age of its oldest check is the interval that receipts get now.
    real: intervalsOf(stats, ({ oldest_at }) => Math.max(0, takenAt.getTime() - oldest_at.getTime())),
    checks: {
      needed_per_day: neededPerDay(stats),
      available_per_day: Math.floor(perDay),
      // For readers of the former schedule: days between two checks, at least 1.
      stretch: Math.max(1, Math.round((planned?.p50 ?? 0) / 864) / 100),
      /** Receipts of the present mix that can be added before the planned median interval is too long. */
      room: roomFor(stats, options),
      by_class: scheduleClasses.map((name) => {
        const rows = groups.get(name) ?? [];
        return { class: name, receipts: sumOf(rows), needed_per_day: neededPerDay(rows) };
      }),
    },
  };
}

type Count = Pick<BucketStats, 'bucket' | 'receipts'>;

export function countsOf(rows: readonly Count[]): BucketCounts {
  return new Map(rows.map(({ bucket, receipts }) => [bucket, receipts]));
}

function intervalsOf<Row extends Count>(
  rows: readonly Row[],
  intervalMs: (row: Row) => number,
): Quantiles | null {
  return quantilesOf(rows.map((row) => ({ receipts: row.receipts, value: intervalMs(row) / 1_000 })));
}

function roomFor(stats: readonly Count[], { perDay, scale, maxMedianMs }: Options): number {
  const watched = sumOf(stats);
  const mix = watched === 0 ? [{ bucket: usualBucket, receipts: 1 }] : stats;
  const isFull = (factor: number) => {
    const more = mix.map(({ bucket, receipts }) => ({ bucket, receipts: receipts * factor }));
    const plan = planFor(countsOf(more), { perDay, scale });
    const planned = intervalsOf(more, ({ bucket }) => plan.intervalMs(bucket));
    return (planned?.p50 ?? 0) * 1_000 > maxMedianMs;
  };
  return Math.max(0, Math.floor(leastOf(1e-6, 1e9, isFull) * sumOf(mix)) - watched);
}

type Upstream = Record<'USCIS_DAILY_BUDGET' | 'USCIS_RATE_PER_SECOND' | 'USCIS_PACE_MARGIN', number>;

/** Scheduled checks on an average day, by the quota or by the rate in the opening hours. `live`: live checks per day. */
export function availablePerDay(upstream: Upstream, hours: Hours | null, live: number): number {
  const perMs = (upstream.USCIS_RATE_PER_SECOND * (1 - upstream.USCIS_PACE_MARGIN)) / 1_000;
  const { openDays, openMs } = openTimeOf(hours);
  return (Math.max(0, Math.min(upstream.USCIS_DAILY_BUDGET - live, openMs * perMs)) * openDays) / 7;
}
