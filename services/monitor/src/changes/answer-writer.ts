import { matchStatus } from '@casewatch/contracts';
import { createBatch, warning } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { decideAnswer } from '../domain/decide-answer.ts';
import type { Answer } from '../domain/outcome.ts';
import { pauseMs } from '../domain/plan.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { DueReceipt } from '../store/receipts.ts';
import { createAnnouncer } from './announcer.ts';
import type { Brake } from './brake.ts';
import { recordAnswer } from './record-answer.ts';

/** A sender that dies checks the receipts of one batch again. */
const batchSize = 1_000;
const batchMs = 1_000;

/** Writes answers: changed ones one by one, unchanged ones in bulk (monitor.md, Schedule). */
export function createAnswerWriter(ctx: Context, brake: Brake) {
  const announce = createAnnouncer(ctx);
  const writeUnchanged = createBatch(ctx.stores.receipts.writeUnchanged, {
    size: batchSize,
    waitMs: pauseMs(batchMs, ctx.config.MONITOR_INTERVAL_SCALE),
  });

  async function record(receiptNumber: string, answer: Answer, isKnown: boolean): Promise<Receipt | null> {
    const options = { isKnown, holdsDetails: brake.isOn() };
    const { receipt, decision } = await recordAnswer(ctx, receiptNumber, answer, options);
    if (answer.outcome === 'seen') brake.note(decision?.change ?? null);
    if (receipt) await noteUnknownTitle(ctx, receipt, answer);
    if (receipt && receipt.watchers > 0) await announce(receipt, answer.checkedAt);
    return receipt;
  }

  return {
    record,
    async recordDue(before: DueReceipt, answer: Answer): Promise<void> {
      const decision = decideAnswer(before, answer, { ...ctx.planner, holdsDetails: brake.isOn() });
      const isUnchanged = decision !== null && !decision.isMaterial;
      if (isUnchanged && (await writeUnchanged({ before, after: decision.receipt }))) {
        brake.note(null);
        await announce(decision.receipt, answer.checkedAt);
      } else {
        await record(before._id, answer, true);
      }
    },
  };
}

/** Counts an unknown title when a receipt first shows it, so that it can be added to the status table. */
async function noteUnknownTitle({ log, metrics, stores }: Context, { since }: Receipt, answer: Answer) {
  const { checkedAt: at } = answer;
  if (answer.outcome !== 'seen' || since?.getTime() !== at.getTime()) return;
  const title = answer.seen.facts.status_code;
  const { knownStatus, category } = matchStatus(title);
  if (knownStatus) return;
  metrics.all['monitor.unknown_titles'].add(1, { category });
  await stores.unknownTitles.note({ title, category, at }).catch(warning(log, 'unknown title not counted'));
}
