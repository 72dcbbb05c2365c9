import type { Connection } from '@casewatch/platform';
import type { Receipt } from '../domain/receipt.ts';
import { scheduleClasses } from '../domain/schedule-class.ts';

/** What the operator orders to be looked at again; the schedule does it, in its own lane. */
export function createRecheckStore(db: Connection) {
  // Made by receipts.ts, whose collection it is.
  const receipts = () => db.model<Receipt>('receipts');
  const due = { $ifNull: ['$schedule_class', 'normal'] };
  return {
    /** Makes one watched receipt due now, a rejected one too; false: nobody watches it. */
    async one(receiptNumber: string): Promise<boolean> {
      const { matchedCount } = await receipts().updateOne(
        { _id: receiptNumber, watchers: { $gt: 0 } },
        [{ $set: { schedule_class: due, next_check_at: '$$NOW' } }],
        { updatePipeline: true },
      );
      return matchedCount === 1;
    },

    /** Makes all that are watched due within so many ms, spread evenly; none later than it was. Returns how many. */
    async all(withinMs: number): Promise<number> {
      const soon = { $add: ['$$NOW', { $multiply: [{ $rand: {} }, withinMs] }] };
      // The driver's own call: mongoose does not know that the least of two dates is one.
      const { matchedCount } = await receipts().collection.updateMany(
        { schedule_class: { $in: [...scheduleClasses] }, next_check_at: { $ne: null } },
        [{ $set: { next_check_at: { $min: ['$next_check_at', soon] } } }],
      );
      return matchedCount;
    },
  };
}
