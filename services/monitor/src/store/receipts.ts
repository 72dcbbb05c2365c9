import { type Connection, type Session, updateWideRow } from '@casewatch/platform';
import type { Bucket } from '../domain/buckets.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { NextCheck, ScheduledReceipt } from '../domain/schedule.ts';
import { receiptModel, watchedOnly } from './receipt-model.ts';

const dueFields = {
  revision: 1,
  facts_hash: 1,
  spanish_hash: 1,
  state: 1,
  failures: 1,
  poll_class: 1,
  new_since: 1,
  not_found: 1,
  bucket: 1,
  checked_at: 1,
  last_checked: 1,
  overdue_since: 1,
  watchers: 1,
  watched_by: 1,
  recheck_at: 1,
} as const;

const factFields = { 'facts.status_code': 1, 'facts.form_type': 1 } as const;

export type DueReceipt = Pick<Receipt, '_id' | keyof typeof dueFields> &
  Pick<ScheduledReceipt, 'facts'> & { bucket: Bucket; checked_at: Date };

/** An answer that changes only the times of a receipt. */
export type UnchangedAnswer = {
  receipt: DueReceipt;
  sent: number;
  checkedAt: Date;
  next: NextCheck;
};

type Due = { bucket: Bucket; from: Date; to: Date; limit: number };

/** The collection `receipts`: watched receipts and recent answers about others. */
export function createReceiptStore(db: Connection) {
  const model = receiptModel(db);
  return {
    async find(receiptNumber: string): Promise<Receipt | null> {
      return await model.findById(receiptNumber).lean<Receipt>();
    },

    async findDue({ bucket, from, to, limit }: Due): Promise<DueReceipt[]> {
      return await model
        .find({ bucket, checked_at: { $gte: from, $lte: to } }, { ...dueFields, ...factFields })
        .sort({ checked_at: 1 })
        .limit(limit)
        // One answer; the default is a first batch of 101 rows.
        .batchSize(limit)
        .hint('due')
        .lean<DueReceipt[]>();
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

    /** Writes `next`; false if the row changed since `before` was read. @throws duplicate key if two processes insert */
    async write(before: Receipt, next: Receipt, session?: Session): Promise<boolean> {
      const options = session ? { session } : {};
      if (before.revision === 0) {
        await model.insertMany([next], options);
        return true;
      }
      const { _id, ...fields } = next;
      const unchanged = { _id, revision: before.revision, sent: before.sent };
      return await updateWideRow(model, unchanged, { $set: fields }, options);
    },

    async remove({ _id, revision, sent }: Receipt, session: Session): Promise<boolean> {
      const { deletedCount } = await model.deleteOne({ _id, revision, sent }, { session });
      return deletedCount === 1;
    },

    /** Writes many answers; returns those whose row changed since it was read. */
    async writeUnchanged(answers: readonly UnchangedAnswer[]): Promise<UnchangedAnswer[]> {
      const { matchedCount } = await model.bulkWrite(
        answers.map(({ receipt, sent, checkedAt, next: { bucket, checked_at } }) => ({
          // `updateMany` is not retryable, which saves the server a record per row. A repeated write would match no row.
          updateMany: {
            // The hint saves the choice of an index for each row.
            filter: { _id: receipt._id, revision: receipt.revision, sent: { $lt: sent } },
            hint: { _id: 1 },
            update: { $set: { bucket, checked_at, sent, last_checked: checkedAt, failures: 0 } },
          },
        })),
        { ordered: false },
      );
      if (matchedCount === answers.length) return [];
      const rows = await model
        .find({ _id: { $in: answers.map(({ receipt }) => receipt._id) } }, { sent: 1 })
        .lean();
      const sentOf = new Map(rows.map((row) => [row._id, row.sent]));
      return answers.filter(
        ({ receipt, sent }) => (sentOf.get(receipt._id) ?? Number.POSITIVE_INFINITY) < sent,
      );
    },

    /** Checks a receipt again later; false if its row changed since it was read. `sent`: of the request that failed. */
    async postpone({ _id, revision }: DueReceipt, sent: number, next: NextCheck): Promise<boolean> {
      const { modifiedCount } = await model.updateOne(
        { _id, revision, sent: { $lt: sent } },
        { $set: { ...next, sent }, $inc: { failures: 1 } },
      );
      return modifiedCount === 1;
    },

    /** Makes one watched receipt due now, even a rejected one; false if no case watches it. */
    async makeDue(receiptNumber: string, bucket: Bucket): Promise<boolean> {
      const { matchedCount } = await model.updateOne(
        { _id: receiptNumber, watchers: { $gt: 0 } },
        [{ $set: { bucket, checked_at: '$$NOW' } }],
        { updatePipeline: true },
      );
      return matchedCount === 1;
    },

    /** Makes all receipts of a bucket due within `withinMs`, spread evenly and never later than before. Returns their number. */
    async makeBucketDue(bucket: Bucket, intervalMs: number, withinMs: number): Promise<number> {
      const soon = { $add: [{ $subtract: ['$$NOW', intervalMs] }, { $multiply: [{ $rand: {} }, withinMs] }] };
      // The driver's own call has no `maxTimeMS`, which would stop an update of very many rows halfway.
      const { matchedCount } = await model.collection.updateMany({ bucket }, [
        { $set: { checked_at: { $min: ['$checked_at', soon] } } },
      ]);
      return matchedCount;
    },

    /** The same for rejected receipts, which have no bucket: they get this one. */
    async makeRejectedDue(bucket: Bucket, intervalMs: number, withinMs: number): Promise<number> {
      const soon = { $add: [{ $subtract: ['$$NOW', intervalMs] }, { $multiply: [{ $rand: {} }, withinMs] }] };
      const { matchedCount } = await model.collection.updateMany(
        { state: 'rejected', bucket: null, watchers: { $gt: 0 } },
        [{ $set: { bucket, checked_at: soon } }],
      );
      return matchedCount;
    },
  };
}
