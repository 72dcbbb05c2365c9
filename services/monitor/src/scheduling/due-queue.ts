import { intervalMs, type ScheduleParams } from '../domain/schedule.ts';
import type { ScheduleClass } from '../domain/schedule-class.ts';
import type { DueReceipt } from '../store/receipts.ts';

export type DueQueue = ReturnType<typeof createDueQueue>;

/**
 * Receipts that are due soon, in memory; the most urgent comes first. Urgency is lateness in intervals of the class:
 * after an outage hot receipts come first, and no receipt starves, because waiting makes it more urgent.
 */
export function createDueQueue(scheduleParams: () => ScheduleParams) {
  const waiting = new Map<ScheduleClass, DueReceipt[]>();
  const queued = new Set<string>();
  let isRewindNeeded = false;

  function insert(name: ScheduleClass, rows: readonly DueReceipt[]): void {
    // The soonest is last, where taking it is cheap.
    const all = [...rows, ...(waiting.get(name) ?? [])];
    waiting.set(
      name,
      all.sort((a, b) => b.next_check_at.getTime() - a.next_check_at.getTime()),
    );
  }

  function mostUrgent(now: Date): ScheduleClass | undefined {
    let best: { name: ScheduleClass; urgency: number } | undefined;
    for (const [name, rows] of waiting) {
      const soonest = rows.at(-1);
      if (!soonest || soonest.next_check_at > now) continue;
      const urgency = (now.getTime() - soonest.next_check_at.getTime()) / intervalMs(name, scheduleParams());
      if (!best || urgency > best.urgency) best = { name, urgency };
    }
    return best?.name;
  }

  return {
    sizeOf: (name: ScheduleClass) => waiting.get(name)?.length ?? 0,
    add(rows: readonly DueReceipt[]): void {
      const fresh = rows.filter(({ _id }) => !queued.has(_id));
      for (const { _id } of fresh) queued.add(_id);
      for (const [name, group] of Map.groupBy(fresh, (row) => row.schedule_class)) insert(name, group);
    },
    /** The most urgent due receipt; it stays queued until `complete`. */
    take(now: Date): DueReceipt | undefined {
      const name = mostUrgent(now);
      return name && waiting.get(name)?.pop();
    },
    /** The answer is written: a later window may add the receipt again. */
    complete(receiptNumber: string): void {
      queued.delete(receiptNumber);
    },
    /** The row is still due in the store: windows must rewind to find it. */
    requeueFromStore(receiptNumber: string): void {
      queued.delete(receiptNumber);
      isRewindNeeded = true;
    },
    /** True once after `requeueFromStore`. */
    shouldRewind(): boolean {
      const isNeeded = isRewindNeeded;
      isRewindNeeded = false;
      return isNeeded;
    },
    putBack(row: DueReceipt): void {
      insert(row.schedule_class, [row]);
    },
    /** A live check has just answered the receipt. */
    remove(receiptNumber: string): void {
      for (const [name, rows] of waiting) {
        const remaining = rows.filter(({ _id }) => _id !== receiptNumber);
        if (remaining.length === rows.length) continue;
        waiting.set(name, remaining);
        queued.delete(receiptNumber);
      }
    },
  };
}
