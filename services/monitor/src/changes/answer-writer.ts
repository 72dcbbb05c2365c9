import { matchStatus } from '@casewatch/contracts';
import type { Context } from '../context.ts';
import type { Answer } from '../domain/decide-answer.ts';
import type { Receipt } from '../domain/receipt.ts';
import { scheduleNext } from '../domain/schedule.ts';
import type { DueReceipt } from '../store/due-receipts.ts';
import type { UnchangedAnswer } from '../store/receipts.ts';
import { createAnnouncer } from './announcer.ts';
import { type Brake, createChangeCounter } from './brake.ts';
import { recordAnswer } from './record-answer.ts';
import { createTimedBatch } from './timed-batch.ts';

type Callbacks = { onWritten: () => void; onLost: () => void };

export type AnswerWriter = ReturnType<typeof createAnswerWriter>;

/** Receipts of a batch are checked again after a crash. */
const batchLimits = { rows: 1_000, ms: 1_000 };

type Row = UnchangedAnswer & Callbacks & { answer: Answer };

/** Writes answers: changed ones one by one, unchanged ones in bulk (monitor.md, Schedule). */
export function createAnswerWriter(ctx: Context, { brake }: { brake: Brake }) {
  const announcer = createAnnouncer(ctx);
  const noteChange = createChangeCounter(ctx, brake);
  const batch = createTimedBatch(batchLimits, writeBatch);

  async function writeAnswer(
    receiptNumber: string,
    answer: Answer,
    isKnown: boolean,
  ): Promise<Receipt | null> {
    const options = { isKnown, holdsDetails: brake.isOn() };
    const { receipt, decision } = await recordAnswer(ctx, receiptNumber, answer, options);
    if (answer.kind === 'seen') noteChange(decision?.change ?? null);
    if (receipt) await noteUnknownTitle(ctx, receipt, answer);
    if (receipt && receipt.watchers > 0) {
      announcer.note(receipt, answer.checkedAt);
      batch.scheduleFlush();
    }
    return receipt;
  }

  async function writeBatch(rows: Row[]): Promise<void> {
    try {
      const changed = rows.length > 0 ? await ctx.stores.receipts.writeUnchanged(rows) : [];
      const changedIds = new Set(changed.map(({ receipt }) => receipt._id));
      for (const { receipt, answer } of rows)
        if (changedIds.has(receipt._id)) await writeAnswer(receipt._id, answer, true);
      for (const { receipt, onWritten } of rows) {
        if (!changedIds.has(receipt._id)) brake.note(false);
        onWritten();
      }
    } catch (error) {
      ctx.log.warn({ err: error, rows: rows.length }, 'answers not written; the receipts stay due');
      for (const { onLost } of rows) onLost();
      return;
    }
    for (const { receipt, checkedAt, next } of rows) announcer.note({ ...receipt, ...next }, checkedAt);
    await announcer
      .flush()
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'status.checked not published'));
  }

  return {
    recordLive: writeAnswer,
    flush: batch.flush,
    async recordDue(receipt: DueReceipt, answer: Answer, callbacks: Callbacks): Promise<void> {
      if (!isUnchanged(receipt, answer)) {
        await writeAnswer(receipt._id, answer, true);
        callbacks.onWritten();
        return;
      }
      const { sent, checkedAt } = answer;
      const next = scheduleNext(receipt, checkedAt, ctx.scheduleParams());
      batch.add({ receipt, sent, checkedAt, next, answer, ...callbacks });
    },
  };
}

function isUnchanged(receipt: DueReceipt, answer: Answer): boolean {
  return (
    answer.kind === 'seen' &&
    receipt.facts_hash === answer.hashes.facts_hash &&
    receipt.spanish_hash === answer.hashes.spanish_hash &&
    receipt.state === 'watched' &&
    receipt.not_found === null &&
    receipt.overdue_since === null &&
    !receipt.recheck_at &&
    receipt.watchers > 0
  );
}

/** Counts an unknown title when a receipt first shows it, so that it can be added to the status table. */
async function noteUnknownTitle(ctx: Context, receipt: Receipt, answer: Answer): Promise<void> {
  if (answer.kind !== 'seen' || receipt.since?.getTime() !== answer.checkedAt.getTime()) return;
  const title = answer.seen.facts.status_code;
  const { knownStatus, category } = matchStatus(title);
  if (knownStatus) return;
  ctx.metrics.unknownTitles.add(1, { category });
  try {
    await ctx.stores.unknownTitles.note({ title, category, at: answer.checkedAt });
  } catch (error) {
    ctx.log.warn({ err: error }, 'unknown title not counted');
  }
}
