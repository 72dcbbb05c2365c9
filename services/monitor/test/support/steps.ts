/**
 * What two procedures can do between each other: each read, the receipt's write (with it a transaction begins, and holds
 * the receipt), and the rest of the transaction with its commit. What else a transaction writes meets nobody.
 */
export const steps = {
  receipts: ['find', 'write', 'remove', 'writeUnchanged'],
  watches: ['find', 'findConcerned', 'isUsedByOtherCase', 'write', 'noteLastUpdates'],
  fanOuts: ['add', 'remove'],
} as const;

type Step = string | undefined;

/** Steps that only read, outside of transactions. */
const readsOfWatches: Step[] = ['watches.find', 'watches.isUsedByOtherCase'];
const reads: Step[] = ['receipts.find', ...readsOfWatches];
/** Steps that write no watch. */
const writesElsewhere: Step[] = ['receipts.write', 'receipts.writeUnchanged', 'fanOuts.add'];

/** Whether two steps, one of each procedure, are the same in either order. */
export const commute = (left: Step, right: Step): boolean =>
  (reads.includes(left) && reads.includes(right)) ||
  (readsOfWatches.includes(left) && writesElsewhere.includes(right)) ||
  (writesElsewhere.includes(left) && readsOfWatches.includes(right));

/** Whoever stands before one of these holds the receipt. */
export const endsOfTransactions: Step[] = ['watches.write', 'fanOuts.add'];
