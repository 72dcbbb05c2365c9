import { transaction } from '@casewatch/platform';
import { knownFrom } from '../domain/case-update.ts';
import { type Answer, type Decision, decideAnswer } from '../domain/decide-answer.ts';
import { type Receipt, unknownReceipt, unwatched, type Watch } from '../domain/receipt.ts';
import { monitoringChangedEvents, statusUpdatedEvents } from '../present/status-events.ts';
import { type ChangeContext, ConflictError, retryOnConflict } from './retry-on-conflict.ts';

/**
 * Records an answer (architecture.md §4): one transaction writes the receipt and one event per watching case.
 * Returns the stored receipt; null if an unknown receipt has no status.
 */
export async function recordAnswer(
  ctx: ChangeContext,
  receiptNumber: string,
  answer: Answer,
  { isDue }: { isDue: boolean } = { isDue: false },
): Promise<Receipt | null> {
  const { receipts, watches } = ctx.stores;
  const { receipt } = await retryOnConflict(async () => {
    const stored = await receipts.find(receiptNumber);
    // A receipt that was deleted during its check stays deleted.
    if (!stored && (isDue || answer.kind !== 'seen')) return { receipt: null };
    const before = stored ?? unknownReceipt(receiptNumber);
    const watching = before.watchers > 0 ? await watches.findActive(receiptNumber) : [];
    const decision = decideAnswer(before, watching, answer, ctx.scheduleParams());
    if (!decision) return { receipt: stored };
    if (before.watchers === 0) decision.receipt = unwatched(decision.receipt, answer.checkedAt);
    const isWritten = await writeDecision(ctx, { before, decision, watching, answer });
    return isWritten ? { receipt: decision.receipt } : undefined;
  });
  return receipt;
}

type Write = { before: Receipt; decision: Decision; watching: Watch[]; answer: Answer };

async function writeDecision(ctx: ChangeContext, write: Write): Promise<boolean> {
  const { before, decision, watching, answer } = write;
  const { receipts, watches } = ctx.stores;
  const { receipt, isMaterial } = decision;
  if (!isMaterial || watching.length === 0) return await receipts.write(before, receipt);
  const { updates, changes } = await eventsOf(ctx, write);
  const updatedIds = decision.updates.map(({ watch }) => watch._id);
  await transaction(ctx.db, async (session) => {
    if (!(await receipts.write(before, receipt, session))) throw new ConflictError('receipt');
    await watches.noteLastUpdate(updatedIds, knownFrom(receipt), session);
    if (answer.kind === 'not_found') await watches.awaitFirstState(receipt._id, session);
    await ctx.outbox.addAll(session, 'status.updated', updates);
    await ctx.outbox.addAll(session, 'status.monitoring_changed', changes);
  });
  return true;
}

async function eventsOf(ctx: ChangeContext, { decision, watching, answer }: Write) {
  const { receipt, updates, isStateChanged } = decision;
  const at = answer.checkedAt;
  const updateEvents = await Promise.all(
    updates.map(async (update) =>
      statusUpdatedEvents(update, receipt, { id: await ctx.ids.next('status_update'), at }),
    ),
  );
  const changed = isStateChanged ? watching : [];
  return {
    updates: updateEvents.flat(),
    changes: changed.flatMap((watch) => monitoringChangedEvents(watch, receipt, at)),
  };
}
