import { type Connection, collection } from '@casewatch/platform/database';
import { classOfBucket } from '../domain/buckets.ts';
import type { BucketStats } from '../domain/capacity.ts';
import { type Quantiles, quantilesOf, sumOf } from '../domain/quantiles.ts';
import { overdueOnly, receiptModel, watchedOnly } from './receipts.ts';

/** Time since the last check, s. */
export type Ages = Quantiles & { max: number };

export type ScheduleStats = { taken_at: Date; buckets: BucketStats[]; ages: Ages | null; overdue: number };

const census = collection<ScheduleStats & { _id: string }>('census', String);

type Counted = BucketStats & { step: number };

const ageStep = 1.05;

const _id = 'buckets';

export function createScheduleStatsStore(db: Connection) {
  const receipts = receiptModel(db);
  const model = census(db);

  return {
    async read(): Promise<ScheduleStats | null> {
      return await model.findById(_id).lean<ScheduleStats>();
    },

    /** Counts by bucket and by age in steps of 5 %, from the index alone. */
    async collect(now: Date): Promise<ScheduleStats> {
      const ageS = { $divide: [{ $subtract: [now, '$checked_at'] }, 1_000] };
      const step = { $ceil: { $log: [{ $max: [1, ageS] }, ageStep] } };
      const counts = { receipts: { $sum: 1 }, oldest_at: { $min: '$checked_at' } };
      const rows = await receipts
        .aggregate<Counted>([
          { $match: watchedOnly },
          { $group: { _id: { bucket: '$bucket', step }, ...counts } },
          { $replaceWith: { $mergeObjects: ['$_id', '$$ROOT'] } },
        ])
        .hint('due');
      const stats = {
        taken_at: now,
        buckets: bucketsOf(rows),
        ages: agesOf(rows, now),
        overdue: await receipts.countDocuments(overdueOnly).hint('overdue'),
      };
      await model.updateOne({ _id }, { $set: stats }, { upsert: true });
      return stats;
    },
  };
}

function bucketsOf(rows: readonly Counted[]): BucketStats[] {
  return [...Map.groupBy(rows, ({ bucket }) => bucket)].map(([bucket, group]) => ({
    bucket,
    receipts: sumOf(group),
    oldest_at: new Date(Math.min(...group.map(({ oldest_at }) => oldest_at.getTime()))),
  }));
}

/** Without receipts that wait for a first check or a retry: the time of a failed check is no age. */
function agesOf(all: readonly Counted[], now: Date): Ages | null {
  const rows = all.filter(({ bucket }) => !['first_check', 'retry'].includes(classOfBucket(bucket)));
  const quantiles = quantilesOf(rows.map(({ receipts, step }) => ({ receipts, value: ageStep ** step })));
  const oldestMs = Math.min(...rows.map(({ oldest_at }) => oldest_at.getTime()));
  return quantiles && { ...quantiles, max: Math.max(0, now.getTime() - oldestMs) / 1_000 };
}
