import { type Connection, collection, type Session, updateWideRow } from '@casewatch/platform/database';
import type { Bucket } from '../domain/buckets.ts';
import type { NextCheck, Receipt } from '../domain/receipt.ts';
import { confirm } from './conflict.ts';

export type DueReceipt = Receipt & { bucket: Bucket; checked_at: Date };

/** Only watched receipts have a bucket: null is not greater than any string. */
export const watchedOnly = { bucket: { $gt: '' } };
export const overdueOnly = { overdue_since: { $gt: new Date(0) } };
const heldOnly = { 'held.at': { $gt: new Date(0) } };

export const receiptModel = collection<Receipt>('receipts', String, [
  { name: 'due', keys: { bucket: 1, checked_at: 1 }, partialFilterExpression: watchedOnly },
  { name: 'overdue', keys: { overdue_since: 1 }, partialFilterExpression: overdueOnly },
  { name: 'held', keys: { 'held.at': 1 }, partialFilterExpression: heldOnly },
  { name: 'expiry', keys: { expires_at: 1 }, expireAfterSeconds: 0 },
]);

type Due = { bucket: Bucket; from: Date; to: Date; limit: number };
/** `filter`: values that the rows have. */
export type DueNow = { filter: Partial<Pick<Receipt, '_id' | 'state' | 'bucket'>>; bucket: Bucket };
/** A receipt before and after an answer that changes only its times. */
type Unchanged = { before: DueReceipt; after: Receipt };

export function createReceiptStore(db: Connection) {
  const model = receiptModel(db);
  return {
    async find(receiptNumber: string): Promise<Receipt | null> {
      return await model.findById(receiptNumber).lean<Receipt>();
    },

    /** Writes `next`. @throws ConflictError if the row changed since `before` was read; duplicate key if two processes insert */
    async write(before: Receipt, next: Receipt, session?: Session): Promise<void> {
      const options = session ? { session } : {};
      if (before.revision === 0) return void (await model.insertMany([next], options));
      const { _id, ...fields } = next;
      const unchanged = { _id, revision: before.revision, sent: before.sent };
      confirm(await updateWideRow(model, unchanged, { $set: fields }, options), 'receipt');
    },

    /** @throws ConflictError */
    async remove({ _id, revision, sent }: Receipt, session: Session): Promise<void> {
      const { deletedCount } = await model.deleteOne({ _id, revision, sent }, { session });
      confirm(deletedCount === 1, 'receipt');
    },

    /** Writes many answers. False for all if a row changed since it was read: then the answers are recorded one by one. */
    async writeUnchanged(answers: readonly Unchanged[]): Promise<boolean[]> {
      const writes = answers.map(
        ({ before, after: { sent, last_checked, bucket, checked_at, next_check_at } }) => ({
          // `updateMany` is not retryable, which saves the server a record per row. A repeated write would match no row.
          updateMany: {
            // The hint saves the choice of an index for each row.
            filter: { _id: before._id, revision: before.revision, sent: { $lt: sent } },
            hint: { _id: 1 },
            update: { $set: { bucket, checked_at, next_check_at, sent, last_checked, failures: 0 } },
          },
        }),
      );
      const { matchedCount } = await model.bulkWrite(writes, { ordered: false });
      return answers.map(() => matchedCount === answers.length);
    },

    /** Checks a receipt again later; false if its row changed since it was read. `sent`: of the request that failed. */
    async postpone({ _id, revision }: DueReceipt, sent: number, next: NextCheck): Promise<boolean> {
      const change = { $set: { ...next, sent }, $inc: { failures: 1 } };
      const { modifiedCount } = await model.updateOne({ _id, revision, sent: { $lt: sent } }, change);
      return modifiedCount === 1;
    },

    async findDue({ bucket, from, to, limit }: Due): Promise<DueReceipt[]> {
      const rows = await model
        .find({ bucket, checked_at: { $gte: from, $lte: to } })
        .sort({ checked_at: 1 })
        .limit(limit)
        // One answer; the default is a first batch of 101 rows.
        .batchSize(limit)
        .hint('due')
        .lean<DueReceipt[]>();
      return rows;
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

    /** Receipts with a change that waits for the decision of an operator. */
    async findHeld(limit: number): Promise<Receipt[]> {
      return await model.find(heldOnly).limit(limit).hint('held').lean<Receipt[]>();
    },

    async countHeld(): Promise<number> {
      return await model.countDocuments(heldOnly).hint('held');
    },
  };
}
