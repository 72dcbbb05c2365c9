import { type Connection, type Session, updateWideRow } from '@casewatch/platform';
import type { Receipt } from '../domain/receipt.ts';
import type { NextCheck } from '../domain/schedule.ts';
import { type ScheduleClass, scheduleClasses } from '../domain/schedule-class.ts';
import { receiptModel } from './receipt-model.ts';

const dueFields = {
  revision: 1,
  facts_hash: 1,
  spanish_hash: 1,
  state: 1,
  failures: 1,
  poll_class: 1,
  since: 1,
  new_since: 1,
  not_found: 1,
  schedule_class: 1,
  next_check_at: 1,
  last_checked: 1,
  overdue_since: 1,
  watched_by: 1,
  recheck_at: 1,
} as const;

export type DueReceipt = Pick<Receipt, '_id' | keyof typeof dueFields> & {
  schedule_class: ScheduleClass;
  next_check_at: Date;
};

/** An answer that changes only the times of a receipt. */
export type UnchangedAnswer = {
  receipt: DueReceipt;
  sent: number;
  checkedAt: Date;
  next: NextCheck;
};

type OverdueQuery = Span & { name: ScheduleClass; before: Date };
type Due = Span & { names: readonly ScheduleClass[] };
type Span = { from: Date; to: Date; limit: number };

/** The collection `receipts`: watched receipts and recent answers about others. */
export function createReceiptStore(db: Connection) {
  const model = receiptModel(db);
  return {
    async find(receiptNumber: string): Promise<Receipt | null> {
      return await model.findById(receiptNumber).lean<Receipt>();
    },

    async findDue({ names, from, to, limit }: Due): Promise<DueReceipt[]> {
      return await model
        .find({ schedule_class: { $in: [...names] }, next_check_at: { $gte: from, $lte: to } }, dueFields)
        .sort({ next_check_at: 1 })
        .limit(limit)
        // One answer; the default is a first batch of 101 rows.
        .batchSize(limit)
        .hint('schedule')
        .lean<DueReceipt[]>();
    },

    async classesInUse(): Promise<ScheduleClass[]> {
      // The filter of the index: so MongoDB reads one index entry per class.
      const hasClass = { $gt: '' as ScheduleClass };
      const names = await model.distinct('schedule_class', { schedule_class: hasClass });
      return names.filter((name) => name !== null);
    },

    /** Due receipts that were not checked since `before` and are not marked as overdue. */
    async findLate({
      name,
      from,
      to,
      before,
      limit,
    }: OverdueQuery): Promise<Pick<DueReceipt, '_id' | 'next_check_at'>[]> {
      const isLate = { overdue_since: null, last_checked: { $not: { $gte: before } } };
      return await model
        .find(
          { schedule_class: name, next_check_at: { $gte: from, $lt: to }, ...isLate },
          { next_check_at: 1 },
        )
        .sort({ next_check_at: 1 })
        .limit(limit)
        .hint('schedule')
        .lean<Pick<DueReceipt, '_id' | 'next_check_at'>[]>();
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
        answers.map(({ receipt, sent, checkedAt, next: turn }) => ({
          // `updateMany` is not retryable, which saves the server a record per row. A repeated write would match no row.
          updateMany: {
            // The hint saves the choice of an index for each row.
            filter: { _id: receipt._id, revision: receipt.revision, sent: { $lt: sent } },
            hint: { _id: 1 },
            update: { $set: { ...turn, sent, last_checked: checkedAt, failures: 0 } },
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

    async postpone(receiptNumber: string, at: Date): Promise<void> {
      await model.updateOne(
        { _id: receiptNumber, schedule_class: { $ne: null } },
        { $set: { next_check_at: at }, $inc: { failures: 1 } },
      );
    },

    /** Makes one watched receipt due now, even a rejected one; false if no case watches it. */
    async makeDue(receiptNumber: string): Promise<boolean> {
      const schedule_class = { $ifNull: ['$schedule_class', 'normal'] };
      const { matchedCount } = await model.updateOne(
        { _id: receiptNumber, watchers: { $gt: 0 } },
        [{ $set: { schedule_class, next_check_at: '$$NOW' } }],
        { updatePipeline: true },
      );
      return matchedCount === 1;
    },

    /** Makes all watched receipts due within `withinMs`, spread evenly and never later than before. Returns their number. */
    async makeAllDue(withinMs: number): Promise<number> {
      const soon = { $add: ['$$NOW', { $multiply: [{ $rand: {} }, withinMs] }] };
      // The driver's own call has no `maxTimeMS`, which would stop an update of very many rows halfway.
      const scheduled = await model.collection.updateMany(
        { schedule_class: { $in: [...scheduleClasses] }, next_check_at: { $ne: null } },
        [{ $set: { next_check_at: { $min: ['$next_check_at', soon] } } }],
      );
      const rejected = await model.collection.updateMany({ state: 'rejected', watchers: { $gt: 0 } }, [
        { $set: { schedule_class: { $ifNull: ['$schedule_class', 'normal'] }, next_check_at: soon } },
      ]);
      return scheduled.matchedCount + rejected.matchedCount;
    },
  };
}
