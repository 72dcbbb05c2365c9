import type { Context } from '../context.ts';
import type { Answer } from '../domain/decide-answer.ts';
import { hashesOf } from '../domain/hashes.ts';
import { parseCaseStatus } from '../domain/parse-case-status.ts';
import type { Receipt } from '../domain/receipt.ts';
import { nextCheckAt } from '../domain/schedule.ts';
import type { DueReceipt, Unchanged } from '../store/receipts.ts';
import { recordAnswer } from '../store/record-answer.ts';
import { createAnnouncer } from './announcer.ts';
import type { Checked } from './sender.ts';

/** An answer about the receipt, or null where the outcome says nothing about it. */
export function toAnswer({ outcome, sent, checkedAt }: Checked): Answer | null {
  if (outcome.outcome === 'not_found')
    return { kind: 'not_found', sent, checkedAt, message: outcome.message };
  if (outcome.outcome === 'rejected') return { kind: 'rejected', sent, checkedAt };
  const seen = outcome.outcome === 'seen' ? parseCaseStatus(outcome.raw) : null;
  return seen ? { kind: 'seen', sent, checkedAt, seen, hashes: hashesOf(seen) } : null;
}

export type Settler = {
  /** Records one answer through the one procedure; returns the receipt as it is now. */
  record(receiptNumber: string, answer: Answer): Promise<Receipt | null>;
  /** The same for a due receipt: what did not change waits a moment to be written with others. */
  settle(receipt: DueReceipt, answer: Answer, onWritten: () => void): Promise<void>;
  flush(): Promise<void>;
};

const rowsPerWrite = 500;
const gatherMs = 250;

/** Writes answers back: changed ones one by one, the others in bulk (monitor.md, Schedule). */
export function createSettler(ctx: Context): Settler {
  const announcer = createAnnouncer(ctx);
  let gathered: (Unchanged & { answer: Answer; onWritten: () => void })[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function record(receiptNumber: string, answer: Answer): Promise<Receipt | null> {
    const receipt = await recordAnswer(ctx, receiptNumber, answer);
    if (receipt && receipt.watchers > 0) {
      announcer.note({ receiptNumber, checkedAt: answer.checkedAt, nextCheckAt: receipt.next_check_at });
      schedule();
    }
    return receipt;
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const batch = gathered;
    gathered = [];
    try {
      const missed = batch.length > 0 ? await ctx.stores.receipts.writeUnchanged(batch) : [];
      const others = new Set(missed.map(({ receipt }) => receipt._id));
      for (const { receipt, answer } of batch) if (others.has(receipt._id)) await record(receipt._id, answer);
      for (const { receipt, checkedAt, nextCheckAt: next } of batch)
        announcer.note({ receiptNumber: receipt._id, checkedAt, nextCheckAt: next });
      await announcer.flush();
    } catch (error) {
      // Nothing was moved: the receipts stay due and are asked again.
      ctx.log.warn({ err: error, rows: batch.length }, 'answers not written');
    } finally {
      for (const { onWritten } of batch) onWritten();
    }
  }

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), gatherMs);
  }

  return {
    record,
    flush,
    async settle(receipt, answer, onWritten) {
      if (!isUnchanged(receipt, answer)) {
        await record(receipt._id, answer).finally(onWritten);
        return;
      }
      const { sent, checkedAt } = answer;
      const next = nextCheckAt(receipt, checkedAt, ctx.pacing);
      gathered.push({ receipt, sent, checkedAt, nextCheckAt: next, answer, onWritten });
      if (gathered.length >= rowsPerWrite) await flush();
      else schedule();
    },
  };
}

function isUnchanged(receipt: DueReceipt, answer: Answer): boolean {
  return (
    answer.kind === 'seen' &&
    receipt.facts_hash === answer.hashes.facts_hash &&
    receipt.spanish_hash === answer.hashes.spanish_hash &&
    receipt.state === 'watched' &&
    receipt.not_found === null
  );
}
