import { transaction } from '@casewatch/platform';
import { isOverdue } from '../domain/overdue.ts';
import { checkOverdueEvent } from '../present/status-events.ts';
import { type ChangeContext, ConflictError, untilWritten } from './until-written.ts';

type Options = {
  receiptNumber: string;
  /** Checked last before this is too long ago. */
  before: Date;
  at: Date;
};

/**
 * Notes that a receipt was not checked for too long, and says so to its cases: once, until it is checked again. False
 * where it is not so (any more).
 */
export async function markOverdue(
  ctx: ChangeContext,
  { receiptNumber, before, at }: Options,
): Promise<boolean> {
  const { receipts, watches } = ctx.stores;
  return await untilWritten(async () => {
    const stored = await receipts.find(receiptNumber);
    if (!stored || !isOverdue(stored, before)) return false;
    const watching = await watches.findActive(receiptNumber);
    const events = watching
      .map((watch) => checkOverdueEvent(watch, stored, at))
      .filter((row) => row !== null);
    const receipt = { ...stored, overdue_since: at, revision: stored.revision + 1 };
    await transaction(ctx.db, async (session) => {
      if (!(await receipts.write(stored, receipt, session))) throw new ConflictError('receipt');
      await ctx.outbox.addAll(session, 'status.check_overdue', events);
    });
    return true;
  });
}
