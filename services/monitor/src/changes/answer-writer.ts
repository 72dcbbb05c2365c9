import { matchStatus } from '@casewatch/contracts';
import { createBatch } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { decideAnswer } from '../domain/decide-answer.ts';
import type { Answer } from '../domain/outcome.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { DueReceipt } from '../store/due-receipts.ts';
import { createAnnouncer } from './announcer.ts';
import { type Brake, createChangeCounter } from './brake.ts';
import { recordAnswer } from './record-answer.ts';

/** A sender that dies checks the receipts of one batch again. */
const batch = { size: 1_000, waitMs: 1_000 };

/** Writes answers: changed ones one by one, unchanged ones in bulk (monitor.md, Schedule). */
export function createAnswerWriter(ctx: Context, brake: Brake) {
  const announce = createAnnouncer(ctx);
  const noteChange = createChangeCounter(ctx, brake);
  const writeUnchanged = createBatch(ctx.stores.receipts.writeUnchanged, batch);

  async function record(receiptNumber: string, answer: Answer, isKnown: boolean): Promise<Receipt | null> {
    const options = { isKnown, holdsDetails: brake.isOn() };
    const { receipt, decision } = await recordAnswer(ctx, receiptNumber, answer, options);
    if (answer.outcome === 'seen') noteChange(decision?.change ?? null);
    if (receipt) await noteUnknownTitle(ctx, receipt, answer);
    if (receipt && receipt.watchers > 0) await announce(receipt, answer.checkedAt);
    return receipt;
  }

  return {
    record,
    async recordDue(receipt: DueReceipt, answer: Answer): Promise<void> {
      const params = { ...ctx.scheduleParams(), holdsDetails: brake.isOn() };
      const decision = decideAnswer(receipt, answer, params);
      if (decision && !decision.isMaterial) {
        const after = decision.receipt;
        if (await writeUnchanged({ before: receipt, after })) {
          brake.note(false);
          return await announce(after, answer.checkedAt);
        }
      }
      await record(receipt._id, answer, true);
    },
  };
}

/** Counts an unknown title when a receipt first shows it, so that it can be added to the status table. */
async function noteUnknownTitle(ctx: Context, receipt: Receipt, answer: Answer): Promise<void> {
  if (answer.outcome !== 'seen' || receipt.since?.getTime() !== answer.checkedAt.getTime()) return;
  const title = answer.seen.facts.status_code;
  const { knownStatus, category } = matchStatus(title);
  if (knownStatus) return;
  ctx.metrics.all['monitor.unknown_titles'].add(1, { category });
  await ctx.stores.unknownTitles
    .note({ title, category, at: answer.checkedAt })
    .catch((error: unknown) => ctx.log.warn({ err: error }, 'unknown title not counted'));
}
