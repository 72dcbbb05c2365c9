import { transaction } from '@casewatch/platform';
import { type Beginning, decideWatch } from '../domain/decide-watch.ts';
import { unknownReceipt } from '../domain/receipt.ts';
import { monitoringChangedEvent, statusUpdatedEvent } from '../present/status-events.ts';
import { type ChangeContext, ConflictError, untilWritten } from './until-written.ts';

/**
 * Registers a case's watch without a gap, in a transaction that writes the receipt too; what the case missed since
 * its baseline is told in the same one. A version that was seen already is ignored.
 */
export async function beginWatch(ctx: ChangeContext, beginning: Beginning): Promise<void> {
  const { receipts, watches } = ctx.stores;
  const { id: caseId, receipt_number } = beginning.case;
  await untilWritten(async () => {
    const stored = await receipts.find(receipt_number);
    const former = await watches.find(caseId);
    if (former && (former.deleted_at || former.version >= beginning.version)) return true;
    const { receipt, watch, telling, isNewState } = decideWatch(stored, former, beginning, ctx.pacing());
    const update = telling
      ? statusUpdatedEvent(telling, receipt, { id: await ctx.ids.next('status_update'), at: beginning.at })
      : null;
    const change = isNewState ? monitoringChangedEvent(watch, receipt, beginning.at) : null;
    await transaction(ctx.db, async (session) => {
      const before = stored ?? unknownReceipt(receipt_number);
      if (!(await receipts.write(before, receipt, session))) throw new ConflictError('receipt');
      if (!(await watches.write(former, watch, session))) throw new ConflictError('watch');
      await ctx.outbox.addAll(session, 'status.updated', update ? [update] : []);
      await ctx.outbox.addAll(session, 'status.monitoring_changed', change ? [change] : []);
    });
    return true;
  });
}
