import type { Bucket } from '../domain/buckets.ts';
import { mostUrgent, type Plan } from '../domain/plan.ts';
import type { DueReceipt } from '../store/due-receipts.ts';

export type DueQueue = ReturnType<typeof createDueQueue>;

/** A row is read again after this time: its case may have been deleted since then, ms. */
const validMs = 10_000;
const minuteMs = 60_000;
const longestHoldMs = 60 * minuteMs;

type Queued = { row: DueReceipt; readAtMs: number };

/** Due receipts in memory; the most urgent comes first. Urgency is lateness in intervals, so every receipt gets its turn. */
export function createDueQueue(plan: () => Plan) {
  const waiting = new Map<Bucket, Queued[]>();
  /** Waiting receipts, and receipts whose answer is not written yet. */
  const queued = new Set<string>();
  const holds = new Map<string, { failures: number; untilMs: number }>();
  let droppedAtMs = 0;
  let isHungry = false;
  let onAdded = () => {};

  function insert(bucket: Bucket, entries: readonly Queued[]): void {
    // The oldest is last, where taking it is cheap.
    const all = [...(waiting.get(bucket) ?? []), ...entries];
    waiting.set(
      bucket,
      all.sort((a, b) => b.row.checked_at.getTime() - a.row.checked_at.getTime()),
    );
  }

  function dropOld(): void {
    const nowMs = performance.now();
    if (nowMs - droppedAtMs < validMs / 10) return;
    droppedAtMs = nowMs;
    for (const [bucket, entries] of waiting) {
      const isOld = ({ readAtMs }: Queued) => nowMs - readAtMs >= validMs;
      for (const { row } of entries.filter(isOld)) queued.delete(row._id);
      waiting.set(
        bucket,
        entries.filter((entry) => !isOld(entry)),
      );
    }
  }

  function* oldest() {
    for (const [bucket, entries] of waiting) {
      const last = entries.at(-1);
      if (last) yield { bucket, checkedMs: last.row.checked_at.getTime() };
    }
  }

  return {
    /** Quota is free and no receipt is due. */
    noteHunger(): void {
      isHungry = true;
    },
    takeHunger(): boolean {
      const wasHungry = isHungry;
      isHungry = false;
      return wasHungry;
    },
    sizeOf: (bucket: Bucket) => waiting.get(bucket)?.length ?? 0,
    add(rows: readonly DueReceipt[]): void {
      const readAtMs = performance.now();
      const isHeld = (_id: string) => (holds.get(_id)?.untilMs ?? 0) > readAtMs;
      const fresh = rows.filter(({ _id }) => !queued.has(_id) && !isHeld(_id));
      for (const { _id } of fresh) queued.add(_id);
      for (const [bucket, group] of Map.groupBy(fresh, (row) => row.bucket))
        insert(
          bucket,
          group.map((row) => ({ row, readAtMs })),
        );
      if (fresh.length > 0) onAdded();
    },
    /** `wake` runs when receipts are added. */
    wakeOn(wake: () => void): void {
      onAdded = wake;
    },
    /** The most urgent due receipt; it stays queued until `complete`. */
    take(now: Date): DueReceipt | undefined {
      dropOld();
      const next = mostUrgent(oldest(), now.getTime(), plan());
      return next && waiting.get(next.bucket)?.pop()?.row;
    },
    complete(receiptNumber: string): void {
      queued.delete(receiptNumber);
      holds.delete(receiptNumber);
    },
    putBack(row: DueReceipt): void {
      insert(row.bucket, [{ row, readAtMs: performance.now() }]);
    },
    /** The request failed: the receipt is not asked for in the next 1, 2, 4 … 60 min, times `scale`. Returns the failures in a row. */
    hold(receiptNumber: string, scale: number): number {
      queued.delete(receiptNumber);
      const failures = (holds.get(receiptNumber)?.failures ?? 0) + 1;
      const holdMs = Math.min(minuteMs * 2 ** (failures - 1), longestHoldMs) * scale;
      holds.set(receiptNumber, { failures, untilMs: performance.now() + holdMs });
      return failures;
    },
    /** An outage is over: the failures were not the fault of these receipts. */
    endHolds: () => holds.clear(),
    remove(receiptNumber: string): void {
      holds.delete(receiptNumber);
      for (const [bucket, entries] of waiting) {
        const remaining = entries.filter(({ row }) => row._id !== receiptNumber);
        if (remaining.length === entries.length) continue;
        waiting.set(bucket, remaining);
        queued.delete(receiptNumber);
      }
    },
    /** Nothing can be sent: receipts are read again when requests can be sent. */
    clear(): void {
      for (const entries of waiting.values()) for (const { row } of entries) queued.delete(row._id);
      waiting.clear();
    },
  };
}
