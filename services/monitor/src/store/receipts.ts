import type { Connection, Session } from '@casewatch/platform';
import type { Receipt } from '../domain/receipt.ts';
import type { Scheduled } from '../domain/schedule.ts';
import { type ScheduleClass, scheduleClasses } from '../domain/schedule-class.ts';
import { receiptModel } from './receipt-model.ts';

/** What the sender keeps in memory of a receipt that is due soon. */
export type DueReceipt = Scheduled &
  Pick<
    Receipt,
    | '_id'
    | 'revision'
    | 'facts_hash'
    | 'spanish_hash'
    | 'state'
    | 'failures'
    | 'last_checked'
    | 'overdue_since'
    | 'watched_by'
  > & { schedule_class: ScheduleClass; next_check_at: Date };

/** An answer that changes nothing but when the receipt was checked and when it is due again. */
export type Unchanged = {
  receipt: DueReceipt;
  sent: number;
  checkedAt: Date;
  turn: Pick<Receipt, 'schedule_class' | 'next_check_at'>;
};

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
};

type Late = Span & { name: ScheduleClass; before: Date };
type Due = Span & { names: readonly ScheduleClass[] };
type Span = { from: Date; to: Date; limit: number };

/** The collection `receipts`: one row per receipt number that somebody watches or lately asked for. */
export function createReceiptStore(db: Connection) {
  const model = receiptModel(db);
  return {
    async find(receiptNumber: string): Promise<Receipt | null> {
      return await model.findById(receiptNumber).lean<Receipt>();
    },

    /** Watched receipts of these classes due from `from` to `to`, soonest first. */
    async findDue({ names, from, to, limit }: Due): Promise<DueReceipt[]> {
      return await model
        .find({ schedule_class: { $in: [...names] }, next_check_at: { $gte: from, $lte: to } }, dueFields)
        .sort({ next_check_at: 1 })
        .limit(limit)
        // One answer, not a first of a hundred and one more.
        .batchSize(limit)
        .hint('schedule')
        .lean<DueReceipt[]>();
    },

    /** The classes that hold any receipt; a look at each class's first index entry. */
    async classesInUse(): Promise<ScheduleClass[]> {
      // What the index holds, by the same words: then it is read by leaps, from class to class.
      const isThere = { $gt: '' as ScheduleClass };
      const names = await model.distinct('schedule_class', { schedule_class: isThere });
      return names.filter((name) => name !== null);
    },

    /** Watched receipts, as `findDue`, of those that were not checked since `before` and are not called overdue yet. */
    async findLate({
      name,
      from,
      to,
      before,
      limit,
    }: Late): Promise<Pick<DueReceipt, '_id' | 'next_check_at'>[]> {
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
        answers.map(({ receipt, sent, checkedAt, turn }) => ({
          // `updateMany`, though it is one row: a batch of these is no retryable write, for which the server would keep a
          // record per row. It needs none: what was written before is not matched again.
          updateMany: {
            // The revision changes with facts, state and watchers; with the hint no other index is weighed row by row.
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

    /** A check that failed through no fault of the case: only its next one is moved. */
    async postpone(receiptNumber: string, at: Date): Promise<void> {
      await model.updateOne(
        { _id: receiptNumber, schedule_class: { $ne: null } },
        { $set: { next_check_at: at }, $inc: { failures: 1 } },
      );
    },

    /** Makes one watched receipt due now, a rejected one too; false: nobody watches it. */
    async makeDue(receiptNumber: string): Promise<boolean> {
      const schedule_class = { $ifNull: ['$schedule_class', 'normal'] };
      const { matchedCount } = await model.updateOne(
        { _id: receiptNumber, watchers: { $gt: 0 } },
        [{ $set: { schedule_class, next_check_at: '$$NOW' } }],
        { updatePipeline: true },
      );
      return matchedCount === 1;
    },

    /** Makes all watched receipts due within `withinMs`, spread evenly; none later than it was. Returns how many. */
    async makeAllDue(withinMs: number): Promise<number> {
      const soon = { $add: ['$$NOW', { $multiply: [{ $rand: {} }, withinMs] }] };
      // The driver's own call: mongoose does not know that the least of two dates is one.
      const { matchedCount } = await model.collection.updateMany(
        { schedule_class: { $in: [...scheduleClasses] }, next_check_at: { $ne: null } },
        [{ $set: { next_check_at: { $min: ['$next_check_at', soon] } } }],
      );
      return matchedCount;
    },
  };
}
