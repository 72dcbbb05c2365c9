import { transaction } from '@casewatch/platform/database';
import { givenAs } from '../domain/case-update.ts';
import { decideWatch, type WatchRequest } from '../domain/decide-watch.ts';
import { unknownReceipt } from '../domain/receipt.ts';
import { monitoringChangedEvents, statusUpdatedEvents } from '../present/status-events.ts';
import { type ChangeContext, retryOnConflict } from './change-receipt.ts';

/** Begins a watch: one transaction writes receipt, watch and missed update. Handled versions are ignored. */
export async function beginWatch(ctx: ChangeContext, request: WatchRequest): Promise<void> {
  const { receipts, watches } = ctx.stores;
  const { case: reference, version, at } = request;
  await retryOnConflict(async () => {
    const stored = await receipts.find(reference.receipt_number);
    const former = await watches.find(reference.id);
    if (former && (former.deleted_at || former.version >= version)) return;
    const pastRevision = stored?.watchers ? 0 : await pastRevisionOf(ctx, reference.receipt_number);
    const decision = decideWatch({ stored, former, pastRevision }, request, ctx.planner);
    const { receipt, update } = decision;
    const kept = update && givenAs(update, receipt, { id: await ctx.ids.next('status_update'), at });
    const watch = { ...decision.watch, ...kept?.lastUpdate };
    const updates = kept ? statusUpdatedEvents(update, receipt, kept.given) : [];
    const changes = decision.isStateChanged ? monitoringChangedEvents(watch, receipt, at) : [];
    await transaction(ctx.db, async (session) => {
      const before = stored ?? unknownReceipt(reference.receipt_number);
      await receipts.write(before, receipt, session);
      await watches.write(former, watch, session);
      await ctx.outbox.addAll(session, 'status.updated', updates);
      await ctx.outbox.addAll(session, 'status.monitoring_changed', changes);
    });
  });
}

/**
 * A receipt without watches may have been forgotten and stored again. Its revisions never start over: those of ended watches
 * and waiting changes are compared with them.
 */
async function pastRevisionOf({ stores }: ChangeContext, receiptNumber: string): Promise<number> {
  const { watches, fanOuts } = stores;
  return Math.max(await watches.lastEndedRevision(receiptNumber), await fanOuts.lastRevision(receiptNumber));
}
