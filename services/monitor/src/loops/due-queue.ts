import type { DueReceipt } from '../store/receipts.ts';

/** Receipts that are due soon, in memory, in the order in which they are due. */
export type DueQueue = {
  readonly size: number;
  /** Adds what a window brought; what is here or being checked already is left out. */
  add(rows: readonly DueReceipt[]): void;
  /** The next one that is due, which counts as busy from then on. */
  take(now: Date): DueReceipt | undefined;
  /** Its answer is written: a later window may bring it again. */
  done(receiptNumber: string): void;
  /** It could not be sent: it stays due. */
  putBack(row: DueReceipt): void;
  /** It was just answered for somebody else. */
  drop(receiptNumber: string): void;
};

export function createDueQueue(): DueQueue {
  let waiting: DueReceipt[] = [];
  const known = new Set<string>();

  function insert(rows: readonly DueReceipt[]): void {
    if (rows.length === 0) return;
    // Soonest last, so that taking one is cheap.
    waiting = [...rows, ...waiting].sort((a, b) => b.next_check_at.getTime() - a.next_check_at.getTime());
  }

  return {
    get size() {
      return waiting.length;
    },
    add(rows) {
      const fresh = rows.filter(({ _id }) => !known.has(_id));
      for (const { _id } of fresh) known.add(_id);
      insert(fresh);
    },
    take(now) {
      const soonest = waiting.at(-1);
      return soonest && soonest.next_check_at <= now ? waiting.pop() : undefined;
    },
    done(receiptNumber) {
      known.delete(receiptNumber);
    },
    putBack(row) {
      insert([row]);
    },
    drop(receiptNumber) {
      const kept = waiting.filter(({ _id }) => _id !== receiptNumber);
      if (kept.length === waiting.length) return;
      waiting = kept;
      known.delete(receiptNumber);
    },
  };
}
