import type { Connection, Session } from '@casewatch/platform';
import mongoose from 'mongoose';
import type { Receipt } from '../domain/receipt.ts';
import type { Scheduled } from '../domain/schedule.ts';

/** What the sender keeps in memory of a receipt that is due soon. */
export type DueReceipt = Scheduled &
  Pick<Receipt, '_id' | 'facts_hash' | 'spanish_hash' | 'state' | 'failures'> & { next_check_at: Date };

/** An answer that changes nothing but when the receipt was checked. */
export type Unchanged = {
  receipt: DueReceipt;
  sent: number;
  checkedAt: Date;
  nextCheckAt: Date;
};

const { Mixed } = mongoose.Schema.Types;

const schema = new mongoose.Schema<Receipt>(
  {
    _id: String,
    revision: Number,
    observation: Number,
    facts: Mixed,
    facts_hash: String,
    spanish_hash: String,
    since: Date,
    past: [
      {
        _id: false,
        observation: Number,
        facts_hash: String,
        status_code: String,
        at: Date,
        kind: String,
        skip_reason: String,
      },
    ],
    state: String,
    state_since: Date,
    not_found: Mixed,
    poll_class: String,
    watchers: Number,
    new_since: Date,
    next_check_at: Date,
    last_checked: Date,
    sent: Number,
    failures: Number,
    expires_at: Date,
  },
  { versionKey: false, id: false, minimize: false, collection: 'receipts' },
);
schema.index({ next_check_at: 1 }, { name: 'due', partialFilterExpression: { watchers: { $gt: 0 } } });
schema.index({ expires_at: 1 }, { name: 'expiry', expireAfterSeconds: 0 });

const dueFields = {
  facts_hash: 1,
  spanish_hash: 1,
  state: 1,
  failures: 1,
  poll_class: 1,
  since: 1,
  new_since: 1,
  not_found: 1,
  next_check_at: 1,
};

/** The collection `receipts`: one row per receipt number that somebody watches or lately asked for. */
export function createReceiptStore(db: Connection) {
  const model = db.model<Receipt>('receipts', schema);
  return {
    async prepare(): Promise<void> {
      await model.createCollection();
      await model.createIndexes();
    },

    async find(receiptNumber: string): Promise<Receipt | null> {
      return await model.findById(receiptNumber).lean<Receipt>();
    },

    /** Watched receipts due from `from` to `to`, soonest first. */
    async findDue({ from, to, limit }: { from: Date; to: Date; limit: number }): Promise<DueReceipt[]> {
      return await model
        .find({ watchers: { $gt: 0 }, next_check_at: { $gte: from, $lte: to } }, dueFields)
        .sort({ next_check_at: 1 })
        .limit(limit)
        .hint('due')
        .lean<DueReceipt[]>();
    },

    /**
     * Writes `next` where the row is still as `before`, or not there yet (revision 0). False: somebody else wrote.
     * @throws duplicate key within a transaction, where two insert at once
     */
    async write(before: Receipt, next: Receipt, session?: Session): Promise<boolean> {
      const options = session ? { session } : {};
      if (before.revision === 0) {
        await model.insertMany([next], options);
        return true;
      }
      const { _id, ...fields } = next;
      const { matchedCount } = await model.updateOne(
        { _id, revision: before.revision, sent: before.sent },
        { $set: fields },
        options,
      );
      return matchedCount === 1;
    },

    /** Removes a row that is still as it was read. */
    async remove({ _id, revision, sent }: Receipt, session: Session): Promise<boolean> {
      const { deletedCount } = await model.deleteOne({ _id, revision, sent }, { session });
      return deletedCount === 1;
    },

    /** Notes many answers that changed nothing; returns those whose row had become another meanwhile. */
    async writeUnchanged(answers: readonly Unchanged[]): Promise<Unchanged[]> {
      const { matchedCount } = await model.bulkWrite(
        answers.map(({ receipt, sent, checkedAt, nextCheckAt }) => ({
          updateOne: {
            filter: {
              _id: receipt._id,
              facts_hash: receipt.facts_hash,
              spanish_hash: receipt.spanish_hash,
              state: 'watched' as const,
              not_found: null,
              sent: { $lt: sent },
            },
            update: { $set: { sent, last_checked: checkedAt, next_check_at: nextCheckAt, failures: 0 } },
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

    /** A check that failed through no fault of the case: only its next one is moved. */
    async postpone(receiptNumber: string, at: Date): Promise<void> {
      await model.updateOne(
        { _id: receiptNumber, state: { $ne: 'rejected' } },
        { $set: { next_check_at: at }, $inc: { failures: 1 } },
      );
    },

    async countWatched(): Promise<number> {
      return await model.countDocuments({ watchers: { $gt: 0 } }).maxTimeMS(1_000);
    },
  };
}
