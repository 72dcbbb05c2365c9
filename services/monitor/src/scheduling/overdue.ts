import { every, type Running } from '@casewatch/platform';
import { markOverdue } from '../changes/mark-overdue.ts';
import type { Context } from '../context.ts';
import { dayMs, overdueBefore } from '../domain/schedule.ts';
import { type ScheduleClass, scheduleClasses } from '../domain/schedule-class.ts';

const rowsPerRead = 500;
/** After this time the search starts from the beginning: a row behind the mark may have become overdue. */
const restartMs = 60 * 60 * 1_000;

/** A receipt of this class is overdue now if it was last checked before this moment. */
export function overdueLimit({ hours, scheduleParams }: Context, name: ScheduleClass, now: Date): Date {
  return overdueBefore(name, now, { ...scheduleParams(), hours });
}

/** Marks overdue receipts, which stand first in the schedule. Receipts whose checks fail are judged in `poll`. */
export function reportOverdue(ctx: Context): Running {
  const everyMs = Math.min(Math.max(1_000, dayMs * ctx.config.MONITOR_INTERVAL_SCALE), 60_000);
  const sweepAll = createSweep(ctx);
  // The first round is empty: a new sender checks due receipts first.
  let isFirst = true;
  async function checkOverdue(signal: AbortSignal): Promise<void> {
    if (!isFirst) await sweepAll(signal);
    isFirst = false;
  }
  return every(everyMs, checkOverdue, (error) =>
    ctx.log.warn({ err: error }, 'search for overdue receipts failed'),
  );
}

function createSweep(ctx: Context): (signal: AbortSignal) => Promise<void> {
  let marks = new Map<ScheduleClass, Date>();
  let restartAtMs = 0;
  return async (signal) => {
    if (performance.now() >= restartAtMs) {
      restartAtMs = performance.now() + restartMs;
      marks = new Map();
    }
    for (const name of scheduleClasses) {
      try {
        marks.set(name, await sweepClass(ctx, { name, from: marks.get(name) ?? new Date(0), signal }));
      } catch (error) {
        ctx.log.warn({ err: error, class: name }, 'search for overdue receipts failed');
      }
    }
  };
}

async function sweepClass(
  ctx: Context,
  { name, from, signal }: { name: ScheduleClass; from: Date; signal: AbortSignal },
) {
  const now = ctx.clock.now();
  const before = overdueLimit(ctx, name, now);
  const to = new Date(now.getTime() - dayMs * ctx.config.MONITOR_INTERVAL_SCALE);
  let mark = from;
  let isComplete = false;
  while (!isComplete && !signal.aborted) {
    const rows = await ctx.stores.receipts.findLate({ name, from: mark, to, before, limit: rowsPerRead });
    for (const { _id } of rows) await markOverdue(ctx, { receiptNumber: _id, before, at: now });
    const last = rows.at(-1)?.next_check_at ?? mark;
    // If a whole read has one due time, the rest waits for the next sweep.
    isComplete = rows.length < rowsPerRead || last <= mark;
    mark = last;
  }
  return mark;
}
