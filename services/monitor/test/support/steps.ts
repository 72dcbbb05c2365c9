/**
 * What two procedures can do between each other: each read, the receipt's write (with it a transaction begins, and holds
 * the receipt; a fan-out's begins with its advance), and the rest of the transaction with its commit. What else a transaction writes meets nobody.
 */
export const steps = {
  receipts: ['find', 'write', 'remove', 'writeUnchanged'],
  watches: ['find', 'findConcerned', 'isUsedByOtherCase', 'write', 'noteLastUpdates'],
  fanOuts: ['add', 'advance'],
} as const;

type Step = string | undefined;

/** The name of a step that runs in a transaction. */
export const inTransaction = (step: string): string => `${step} in a transaction`;

/** Steps that only read. */
const readsOfWatches: Step[] = ['watches.find', 'watches.findConcerned', 'watches.isUsedByOtherCase'];
const reads: Step[] = ['receipts.find', ...readsOfWatches];
export const isRead = (step: Step): boolean => reads.includes(step);

/** Nobody sees them before their transaction ends. */
const hiddenOfReceipts: Step[] = ['receipts.write', 'receipts.remove'].map(inTransaction);
const hiddenOfFanOuts: Step[] = ['fanOuts.advance'].map(inTransaction);
const hiddenWrites = [...hiddenOfReceipts, ...hiddenOfFanOuts];
/** Steps that write no watch. */
const writesElsewhere: Step[] = [
  ...hiddenWrites,
  'receipts.write',
  'receipts.writeUnchanged',
  inTransaction('fanOuts.add'),
];

/** Whether two steps, one of each procedure, are the same in either order. */
export const commute = (left: Step, right: Step): boolean => areApart(left, right) || areApart(right, left);

/** Whether one reads what the other does not change, at least not yet, or both write to different rows. */
const areApart = (one: Step, other: Step): boolean =>
  (isRead(one) && (isRead(other) || hiddenWrites.includes(other))) ||
  (readsOfWatches.includes(one) && writesElsewhere.includes(other)) ||
  (hiddenOfFanOuts.includes(one) && hiddenOfReceipts.includes(other));

/** Whoever stands before one of these holds the receipt. */
export const endsOfTransactions: Step[] = ['watches.write', 'fanOuts.add'].map(inTransaction);
