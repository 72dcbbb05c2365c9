import { transaction } from '@casewatch/platform';
import { isOverdue } from '../domain/schedule.ts';
import { checkOverdueEvents } from '../present/status-events.ts';
import { type ChangeContext, ConflictError, retryOnConflict } from './retry-on-conflict.ts';

type Options = { receiptNumber: string; before: Date; at: Date };

/** Publishes `status.check_overdue` once until the next check. False if the receipt is not overdue. */
export async function markOverdue(
  ctx: ChangeContext,
  { receiptNumber, before, at }: Options,
): Promise<boolean> {
  const { receipts, watches } = ctx.stores;
  return await retryOnConflict(async () => {
    const stored = await receipts.find(receiptNumber);
    if (!stored || !isOverdue(stored, before)) return false;
    const watching = await watches.findActive(receiptNumber);
    const events = watching.flatMap((watch) => checkOverdueEvents(watch, stored, at));
    const receipt = { ...stored, overdue_since: at, revision: stored.revision + 1 };
    await transaction(ctx.db, async (session) => {
      if (!(await receipts.write(stored, receipt, session))) throw new ConflictError('receipt');
      await ctx.outbox.addAll(session, 'status.check_overdue', events);
    });
    return true;
  });
}
