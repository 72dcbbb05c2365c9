import { warning } from '@casewatch/platform';
import { markOverdue } from '../changes/mark-overdue.ts';
import { retryBucket } from '../domain/buckets.ts';
import { scheduleIn } from '../domain/schedule.ts';
import type { DueReceipt } from '../store/receipts.ts';
import type { SenderContext } from './sender-context.ts';

const alarmAfter = 5;
/** So many failures in a row, while others are checked, are the fault of the receipt and not of an outage. */
const judgedAfter = 3;
/** USCIS answered about some receipt within this time, ms. */
const recentMs = 60 * 60 * 1_000;

export function createFailedChecks(ctx: SenderContext) {
  const { upstream, queue } = ctx;

  function note(row: DueReceipt, failures: number): void {
    if (failures === alarmAfter)
      ctx.log.error({ alarm: 'receipt_not_checked', failures }, 'checks of one receipt keep failing');
    if (failures < judgedAfter || (upstream.msSinceAnswer() ?? recentMs) >= recentMs) return;
    const marking = markOverdue(ctx, row._id, ctx.clock.now());
    void marking.catch(warning(ctx.log, 'receipt not marked as overdue'));
  }

  /** USCIS or the database failed: the receipt keeps its place in the schedule. */
  const hold = (row: DueReceipt) => note(row, queue.hold(row._id));

  return {
    hold,
    /** The answer cannot be recorded: the receipt is checked again after 1, 2, 4 … 60 min. */
    async postpone(row: DueReceipt, sent: number): Promise<void> {
      const failures = row.failures + 1;
      const next = scheduleIn(retryBucket(failures), ctx.clock.now(), ctx.planner);
      try {
        await ctx.stores.receipts.postpone(row, sent, next);
        queue.complete(row._id);
        note(row, failures);
      } catch (error) {
        ctx.log.warn({ err: error }, 'receipt not postponed');
        hold(row);
      }
    },
  };
}
