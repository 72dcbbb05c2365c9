import { markOverdue } from '../changes/mark-overdue.ts';
import type { Context } from '../context.ts';
import { durations, overdueBefore } from '../domain/schedule.ts';
import { type ScheduleClass, scheduleClasses } from '../domain/schedule-class.ts';

const rowsPerRead = 500;
/** From time to time those that are overdue already are walked again: one may have become so among them. */
const againMs = 60 * 60 * 1_000;

/** Before when a receipt of a class must have been checked last to be overdue now. */
export function overdueLimit({ hours, pacing }: Context, name: ScheduleClass, now: Date): Date {
  return overdueBefore(name, now, { ...pacing(), hours });
}

/**
 * Makes a sweep that looks for receipts that were not checked for too long (monitor.md, What counts as a change). Such a
 * one is late by more than a day, so it stands in front of the schedule; one that fails each time is judged where it is
 * postponed.
 */
export function createOverdueSweep(ctx: Context): (signal: AbortSignal) => Promise<void> {
  let marks = new Map<ScheduleClass, Date>();
  let againAtMs = 0;
  return async (signal) => {
    if (performance.now() >= againAtMs) {
      againAtMs = performance.now() + againMs;
      marks = new Map();
    }
    for (const name of scheduleClasses) {
      try {
        marks.set(name, await sweep(ctx, { name, from: marks.get(name) ?? new Date(0), signal }));
      } catch (error) {
        ctx.log.warn({ err: error, class: name }, 'overdue receipts not looked for');
      }
    }
  };
}

/** Returns how far it came. */
async function sweep(
  ctx: Context,
  { name, from, signal }: { name: ScheduleClass; from: Date; signal: AbortSignal },
) {
  const now = ctx.clock.now();
  const before = overdueLimit(ctx, name, now);
  const to = new Date(now.getTime() - durations.dayMs * ctx.config.MONITOR_INTERVAL_SCALE);
  let mark = from;
  let isAll = false;
  while (!isAll && !signal.aborted) {
    const rows = await ctx.stores.receipts.findLate({ name, from: mark, to, before, limit: rowsPerRead });
    for (const { _id } of rows) await markOverdue(ctx, { receiptNumber: _id, before, at: now });
    const last = rows.at(-1)?.next_check_at ?? mark;
    // Where a whole read shares one due time, the rest waits for the next round.
    isAll = rows.length < rowsPerRead || last <= mark;
    mark = last;
  }
  return mark;
}
