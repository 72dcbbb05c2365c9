import { markOverdue } from '../changes/mark-overdue.ts';
import { retryBucket } from '../domain/buckets.ts';
import type { CheckResult } from '../domain/outcome.ts';
import { scheduleIn } from '../domain/schedule.ts';
import type { DueReceipt } from '../store/due-receipts.ts';
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
      ctx.log.error({ alarm: 'receipt_not_checked', failures }, 'checks of one receipt fail again and again');
    if (failures < judgedAfter || performance.now() - upstream.answeredAtMs() > recentMs) return;
    void markOverdue(ctx, row._id, ctx.clock.now()).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'receipt not marked as overdue'),
    );
  }

  /** USCIS or the database failed: the receipt keeps its place in the schedule. */
  function hold(row: DueReceipt): void {
    note(row, queue.hold(row._id));
  }

  /** The answer cannot be recorded: the receipt is checked again after 1, 2, 4 … 60 min. */
  async function postpone(row: DueReceipt, sent: number): Promise<void> {
    const failures = row.failures + 1;
    const next = scheduleIn(retryBucket(failures), ctx.clock.now(), ctx.scheduleParams());
    try {
      await ctx.stores.receipts.postpone(row, sent, next);
      queue.complete(row._id);
      note(row, failures);
    } catch (error) {
      ctx.log.warn({ err: error }, 'receipt not postponed');
      hold(row);
    }
  }

  return {
    hold,
    postpone,
    async noteOutcome(row: DueReceipt, { outcome, sent }: CheckResult): Promise<void> {
      if (outcome.outcome === 'rate_limited') queue.putBack(row);
      else if (outcome.outcome === 'unreadable') await postpone(row, sent);
      else hold(row);
    },
  };
}
