import type { Connection } from '@casewatch/platform/database';
import type { Bucket } from '../domain/buckets.ts';
import { completed, type Receipt } from '../domain/receipt.ts';
import { receiptModel, watchedOnly } from './receipt-model.ts';

export type DueReceipt = Receipt & { bucket: Bucket; checked_at: Date };

type Due = { bucket: Bucket; from: Date; to: Date; limit: number };
/** `filter`: values that the rows have. */
export type DueNow = { filter: Partial<Pick<Receipt, '_id' | 'state' | 'bucket'>>; bucket: Bucket };

/** Receipts of the collection `receipts` by their place in the schedule. */
export function createDueReceiptStore(db: Connection) {
  const model = receiptModel(db);
  return {
    async findDue({ bucket, from, to, limit }: Due): Promise<DueReceipt[]> {
      const rows = await model
        .find({ bucket, checked_at: { $gte: from, $lte: to } })
        .sort({ checked_at: 1 })
        .limit(limit)
        // One answer; the default is a first batch of 101 rows.
        .batchSize(limit)
        .hint('due')
        .lean<DueReceipt[]>();
      return rows.map(completed);
    },

    /** The time of the oldest check in each bucket. MongoDB reads one index entry per bucket. */
    async oldestChecks(): Promise<{ bucket: Bucket; checked_at: Date }[]> {
      const rows = await model
        .aggregate<{ _id: Bucket; checked_at: Date }>([
          { $match: watchedOnly },
          { $sort: { bucket: 1, checked_at: 1 } },
          { $group: { _id: '$bucket', checked_at: { $first: '$checked_at' } } },
        ])
        .hint('due');
      return rows.map(({ _id, checked_at }) => ({ bucket: _id, checked_at }));
    },

    /** Puts watched receipts into a bucket, due now. Returns their number. */
    async makeDue({ filter, bucket }: DueNow, intervalMs: number): Promise<number> {
      const checked_at = { $min: ['$checked_at', { $subtract: ['$$NOW', intervalMs] }] };
      const watched: object = { ...filter, watchers: { $gt: 0 } };
      // The driver's own call has no `maxTimeMS`, which would stop an update of very many rows halfway.
      const { matchedCount } = await model.collection.updateMany(watched, [{ $set: { bucket, checked_at } }]);
      return matchedCount;
    },
  };
}
