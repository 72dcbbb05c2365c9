import { transaction } from '@casewatch/platform';
import { type Answer, type Decision, decideAnswer } from '../domain/decide-answer.ts';
import { type Receipt, unknownReceipt, unwatched, type Watch } from '../domain/receipt.ts';
import { monitoringChangedEvent, statusUpdatedEvent } from '../present/status-events.ts';
import { type ChangeContext, ConflictError, untilWritten } from './until-written.ts';

/**
 * The one procedure by which answers of either lane are recorded (architecture.md §4): in one transaction the receipt
 * and one event per watching case. `isDue`: asked for by the schedule. Returns the receipt as it is now: a later
 * answer's, if one was recorded before; null for a refusal about a receipt that nobody knows.
 */
export async function recordAnswer(
  ctx: ChangeContext,
  receiptNumber: string,
  answer: Answer,
  { isDue }: { isDue: boolean } = { isDue: false },
): Promise<Receipt | null> {
  const { receipts, watches } = ctx.stores;
  const { receipt } = await untilWritten(async () => {
    const stored = await receipts.find(receiptNumber);
    // A receipt that was forgotten while it was asked for stays forgotten.
    if (!stored && (isDue || answer.kind !== 'seen')) return { receipt: null };
    const before = stored ?? unknownReceipt(receiptNumber);
    const watching = before.watchers > 0 ? await watches.findActive(receiptNumber) : [];
    const decision = decideAnswer(before, watching, answer, ctx.pacing());
    if (!decision) return { receipt: stored };
    if (before.watchers === 0) decision.receipt = unwatched(decision.receipt, answer.checkedAt);
    const isWritten = await writeDecision(ctx, { before, decision, watching, answer });
    return isWritten ? { receipt: decision.receipt } : undefined;
  });
  return receipt;
}

type Write = { before: Receipt; decision: Decision; watching: Watch[]; answer: Answer };

/** False where somebody else wrote the receipt meanwhile. */
async function writeDecision(ctx: ChangeContext, write: Write): Promise<boolean> {
  const { before, decision, watching, answer } = write;
  const { receipts, watches } = ctx.stores;
  const { receipt, tellings, isMaterial } = decision;
  if (!isMaterial || watching.length === 0) return await receipts.write(before, receipt);
  const { updates, changes } = await eventsOf(ctx, write);
  const told = {
    last_observation: receipt.observation,
    last_facts_hash: receipt.facts_hash,
    last_status_code: receipt.facts?.status_code ?? null,
  };
  const toldIds = tellings.map(({ watch }) => watch._id);
  await transaction(ctx.db, async (session) => {
    if (!(await receipts.write(before, receipt, session))) throw new ConflictError('receipt');
    await watches.noteTold(toldIds, told, session);
    if (answer.kind === 'not_found') await watches.awaitFirstState(receipt._id, session);
    await ctx.outbox.addAll(session, 'status.updated', updates);
    await ctx.outbox.addAll(session, 'status.monitoring_changed', changes);
  });
  return true;
}

async function eventsOf(ctx: ChangeContext, { decision, watching, answer }: Write) {
  const { receipt, tellings, isNewState } = decision;
  const at = answer.checkedAt;
  const updates = await Promise.all(
    tellings.map(async (telling) =>
      statusUpdatedEvent(telling, receipt, { id: await ctx.ids.next('status_update'), at }),
    ),
  );
  const changes = isNewState ? watching.map((watch) => monitoringChangedEvent(watch, receipt, at)) : [];
  return {
    updates: updates.filter((row) => row !== null),
    changes: changes.filter((row) => row !== null),
  };
}
