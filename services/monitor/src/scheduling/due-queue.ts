import { type Bucket, retryBucket } from '../domain/buckets.ts';
import { mostUrgent, type Oldest, type Plan } from '../domain/plan.ts';
import type { DueReceipt } from '../store/receipts.ts';

export type DueQueue = ReturnType<typeof createDueQueue>;

/** A row is read again after this time: its case may have been deleted since then, ms. */
const validMs = 10_000;

type Waiting = Oldest & { row: DueReceipt; readAtMs: number };

/** Due receipts in memory; the most urgent comes first. Urgency is lateness in intervals, so every receipt gets its turn. */
export function createDueQueue(planner: { readonly plan: Plan }) {
  const waiting = new Map<string, Waiting>();
  /** Receipts whose answer is not written yet. */
  const taken = new Set<string>();
  const holds = new Map<string, { failures: number; untilMs: number }>();
  let onAdded = () => {};

  function put(row: DueReceipt): void {
    const { _id, bucket, checked_at } = row;
    waiting.set(_id, { row, bucket, checkedMs: checked_at.getTime(), readAtMs: performance.now() });
  }

  return {
    sizeOf: (bucket: Bucket) => [...waiting.values()].filter((entry) => entry.bucket === bucket).length,
    add(rows: readonly DueReceipt[]): void {
      const isHeld = (_id: string) => (holds.get(_id)?.untilMs ?? 0) > performance.now();
      const fresh = rows.filter(({ _id }) => !waiting.has(_id) && !taken.has(_id) && !isHeld(_id));
      for (const row of fresh) put(row);
      if (fresh.length > 0) onAdded();
    },
    wakeOn(wake: () => void): void {
      onAdded = wake;
    },
    /** The most urgent receipt that can be checked; it is not added again before `complete`. */
    take(now: Date): DueReceipt | undefined {
      const oldestMs = performance.now() - validMs;
      for (const [_id, { readAtMs }] of waiting) if (readAtMs <= oldestMs) waiting.delete(_id);
      const next = mostUrgent(waiting.values(), now.getTime(), planner.plan);
      if (!next) return undefined;
      waiting.delete(next.row._id);
      taken.add(next.row._id);
      return next.row;
    },
    complete(receiptNumber: string): void {
      taken.delete(receiptNumber);
      holds.delete(receiptNumber);
    },
    putBack(row: DueReceipt): void {
      taken.delete(row._id);
      put(row);
    },
    /** The request failed: the receipt is not asked for in the next 1, 2, 4 … 60 min. Returns the failures in a row. */
    hold(receiptNumber: string): number {
      taken.delete(receiptNumber);
      const failures = (holds.get(receiptNumber)?.failures ?? 0) + 1;
      const holdMs = planner.plan.intervalMs(retryBucket(failures));
      holds.set(receiptNumber, { failures, untilMs: performance.now() + holdMs });
      return failures;
    },
    /** An outage is over: the failures were not the fault of these receipts. */
    endHolds: () => holds.clear(),
    remove(receiptNumber: string): void {
      holds.delete(receiptNumber);
      waiting.delete(receiptNumber);
    },
    /** Nothing can be sent: receipts are read again when requests can be sent. */
    clear: () => waiting.clear(),
  };
}
