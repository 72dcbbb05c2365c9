import { intervalMs, type Pacing } from '../domain/schedule.ts';
import type { ScheduleClass } from '../domain/schedule-class.ts';
import type { DueReceipt } from '../store/receipts.ts';

export type DueQueue = ReturnType<typeof createDueQueue>;

/**
 * Receipts that are due soon, in memory; of those that are due the most urgent comes first.
 *
 * Urgency is lateness in intervals of the receipt's own class: while nothing lags, that is the order of due times; after
 * an outage the hot ones come first, and nothing starves, because who waits becomes more urgent.
 */
export function createDueQueue(pacing: () => Pacing) {
  const waiting = new Map<ScheduleClass, DueReceipt[]>();
  const known = new Set<string>();
  let lost = false;

  function insert(name: ScheduleClass, rows: readonly DueReceipt[]): void {
    // Soonest last, so that taking one is cheap.
    const all = [...rows, ...(waiting.get(name) ?? [])];
    waiting.set(
      name,
      all.sort((a, b) => b.next_check_at.getTime() - a.next_check_at.getTime()),
    );
  }

  function mostUrgent(now: Date): ScheduleClass | undefined {
    let found: { name: ScheduleClass; urgency: number } | undefined;
    for (const [name, rows] of waiting) {
      const soonest = rows.at(-1);
      if (!soonest || soonest.next_check_at > now) continue;
      const urgency = (now.getTime() - soonest.next_check_at.getTime()) / intervalMs(name, pacing());
      if (!found || urgency > found.urgency) found = { name, urgency };
    }
    return found?.name;
  }

  return {
    /** Those of one class that wait here. */
    sizeOf: (name: ScheduleClass) => waiting.get(name)?.length ?? 0,
    /** Adds what a window brought; what is here or being checked already is left out. */
    add(rows: readonly DueReceipt[]): void {
      const fresh = rows.filter(({ _id }) => !known.has(_id));
      for (const { _id } of fresh) known.add(_id);
      for (const [name, group] of Map.groupBy(fresh, (row) => row.schedule_class)) insert(name, group);
    },
    /** The next one that is due, which counts as busy from then on. */
    take(now: Date): DueReceipt | undefined {
      const name = mostUrgent(now);
      return name && waiting.get(name)?.pop();
    },
    /** Its answer is written: a later window may bring it again. */
    done(receiptNumber: string): void {
      known.delete(receiptNumber);
    },
    /** Its row was not moved: windows must look back for it. */
    lose(receiptNumber: string): void {
      known.delete(receiptNumber);
      lost = true;
    },
    /** Whether any was lost since this was asked last. */
    hasLost(): boolean {
      const had = lost;
      lost = false;
      return had;
    },
    /** It could not be sent: it stays due. */
    putBack(row: DueReceipt): void {
      insert(row.schedule_class, [row]);
    },
    /** It was just answered for somebody else. */
    drop(receiptNumber: string): void {
      for (const [name, rows] of waiting) {
        const kept = rows.filter(({ _id }) => _id !== receiptNumber);
        if (kept.length === rows.length) continue;
        waiting.set(name, kept);
        known.delete(receiptNumber);
      }
    },
  };
}
