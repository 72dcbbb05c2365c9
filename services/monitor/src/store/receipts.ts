import { type Connection, type Session, updateWideRow } from '@casewatch/platform/database';
import { completed, type NextCheck, type Receipt } from '../domain/receipt.ts';
import { confirm } from './conflict.ts';
import type { DueReceipt } from './due-receipts.ts';
import { receiptModel } from './receipt-model.ts';

// The filter of the index.
const held = { 'held.at': { $gt: new Date(0) } };

/** A receipt before and after an answer that changes only its times. */
type Unchanged = { before: DueReceipt; after: Receipt };

export function createReceiptStore(db: Connection) {
  const model = receiptModel(db);
  return {
    async find(receiptNumber: string): Promise<Receipt | null> {
      const row = await model.findById(receiptNumber).lean<Receipt>();
      return row && completed(row);
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

    /** Writes many answers. False: not written, because the row changed since it was read. */
    async writeUnchanged(answers: readonly Unchanged[]): Promise<boolean[]> {
      const { matchedCount } = await model.bulkWrite(
        answers.map(({ before, after: { sent, bucket, checked_at, last_checked } }) => ({
          // `updateMany` is not retryable, which saves the server a record per row. A repeated write would match no row.
          updateMany: {
            // The hint saves the choice of an index for each row.
            filter: { _id: before._id, revision: before.revision, sent: { $lt: sent } },
            hint: { _id: 1 },
            update: { $set: { bucket, checked_at, sent, last_checked, failures: 0 } },
          },
        })),
        { ordered: false },
      );
      if (matchedCount === answers.length) return answers.map(() => true);
      const numbers = answers.map(({ after }) => after._id);
      const rows = await model.find({ _id: { $in: numbers } }, { sent: 1 }).lean();
      const sentOf = new Map(rows.map((row) => [row._id, row.sent]));
      // A deleted row needs no write.
      return answers.map(({ after }) => (sentOf.get(after._id) ?? after.sent) >= after.sent);
    },

    /** Checks a receipt again later; false if its row changed since it was read. `sent`: of the request that failed. */
    async postpone({ _id, revision }: DueReceipt, sent: number, next: NextCheck): Promise<boolean> {
      const { modifiedCount } = await model.updateOne(
        { _id, revision, sent: { $lt: sent } },
        { $set: { ...next, sent }, $inc: { failures: 1 } },
      );
      return modifiedCount === 1;
    },

    /** Receipts with a change that waits for the decision of an operator. */
    async findHeld(limit: number): Promise<Receipt[]> {
      return await model.find(held).limit(limit).hint('held').lean<Receipt[]>();
    },

    async countHeld(): Promise<number> {
      return await model.countDocuments(held).hint('held');
    },
  };
}
