import { type Connection, collection } from '@casewatch/platform';
import { firstCheck } from '../domain/buckets.ts';
import type { BucketStats } from '../domain/capacity.ts';
import { receiptModel, watchedOnly } from './receipt-model.ts';

/** Time since the last check, s. */
export type Ages = { p50: number; p95: number; max: number };

export type ScheduleStats = {
  taken_at: Date;
  buckets: BucketStats[];
  /** Null if no receipt was checked. */
  ages: Ages | null;
  overdue: number;
};

const census = collection<ScheduleStats & { _id: string }>('census', String);

/** The release before keeps other statistics in the row `latest`. */
const _id = 'buckets';

/** The collection `census`: one row with the last statistics. */
export function createScheduleStatsStore(db: Connection) {
  const receipts = receiptModel(db);
  const model = census(db);

  async function countBuckets(): Promise<BucketStats[]> {
    const rows = await receipts
      .aggregate<{ _id: string; receipts: number; oldest_at: Date }>([
        { $match: watchedOnly },
        { $group: { _id: '$bucket', receipts: { $sum: 1 }, oldest_at: { $min: '$checked_at' } } },
      ])
      .hint('due');
    return rows.map(({ _id: bucket, receipts, oldest_at }) => ({ bucket, receipts, oldest_at }));
  }

  async function readAges(now: Date): Promise<Ages | null> {
    const age = { $divide: [{ $max: [0, { $subtract: [now, '$checked_at'] }] }, 1_000] };
    const [row] = await receipts
      .aggregate<{ p: [number, number]; max: number }>([
        // The time of a retry is no successful check.
        { $match: { bucket: { $gt: '', $nin: [firstCheck], $not: /^retry-/ } } },
        {
          $group: {
            _id: null,
            p: { $percentile: { input: age, p: [0.5, 0.95], method: 'approximate' } },
            max: { $max: age },
          },
        },
      ])
      .hint('due');
    return row ? { p50: row.p[0], p95: row.p[1], max: row.max } : null;
  }

  return {
    async read(): Promise<ScheduleStats | null> {
      return await model.findById(_id).lean<ScheduleStats>();
    },

    /** Reads the index of all watched receipts. */
    async collect(now: Date): Promise<ScheduleStats> {
      const stats = {
        taken_at: now,
        buckets: await countBuckets(),
        ages: await readAges(now),
        overdue: await receipts.countDocuments({ overdue_since: { $gt: new Date(0) } }).hint('overdue'),
      };
      await model.updateOne({ _id }, { $set: stats }, { upsert: true });
      return stats;
    },
  };
}
