import type { Context } from '../context.ts';
import type { Answer } from '../domain/decide-answer.ts';
import type { Receipt } from '../domain/receipt.ts';
import { turnOf } from '../domain/schedule.ts';
import type { DueReceipt, Unchanged } from '../store/receipts.ts';
import { createAnnouncer } from './announcer.ts';
import { noteUnknownTitle } from './note-unknown-title.ts';
import { recordAnswer } from './record-answer.ts';

/** What becomes of a due receipt's answer. */
type Settled = { onWritten: () => void; onLost: () => void };

export type Settler = ReturnType<typeof createSettler>;

/** Answers are written when there are so many, or this long after the first, ms: at most so many are asked again after a crash. */
const rowsPerWrite = 1_000;
const gatherMs = 1_000;

/** Writes answers back: changed ones one by one, the others in bulk (monitor.md, Schedule). */
export function createSettler(ctx: Context) {
  const announcer = createAnnouncer(ctx);
  let gathered: (Unchanged & Settled & { answer: Answer })[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function record(receiptNumber: string, answer: Answer, isDue: boolean): Promise<Receipt | null> {
    const receipt = await recordAnswer(ctx, receiptNumber, answer, { isDue });
    if (receipt) await noteUnknownTitle(ctx, receipt, answer);
    if (receipt && receipt.watchers > 0) {
      announcer.note(receipt, answer.checkedAt);
      schedule();
    }
    return receipt;
  }

  async function write(): Promise<void> {
    const batch = gathered;
    gathered = [];
    try {
      const missed = batch.length > 0 ? await ctx.stores.receipts.writeUnchanged(batch) : [];
      const others = new Set(missed.map(({ receipt }) => receipt._id));
      for (const { receipt, answer } of batch)
        if (others.has(receipt._id)) await record(receipt._id, answer, true);
      for (const { onWritten } of batch) onWritten();
    } catch (error) {
      // Nothing was moved: the receipts stay due and are asked again.
      ctx.log.warn({ err: error, rows: batch.length }, 'answers not written');
      for (const { onLost } of batch) onLost();
      return;
    }
    for (const { receipt, checkedAt, turn } of batch) announcer.note({ ...receipt, ...turn }, checkedAt);
    // May be lost harmlessly.
    await announcer.flush().catch((error: unknown) => ctx.log.warn({ err: error }, 'checks not announced'));
  }

  /** One batch after the other: two at once would only wait for each other's journal. */
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    await writing;
  }

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), gatherMs);
  }

  return {
    /** Records one answer through the one procedure; returns the receipt as it is now. */
    record: (receiptNumber: string, answer: Answer) => record(receiptNumber, answer, false),
    flush,
    /** The same for a due receipt: what did not change waits a moment to be written with others. */
    async settle(receipt: DueReceipt, answer: Answer, settled: Settled): Promise<void> {
      if (!isUnchanged(receipt, answer)) {
        await record(receipt._id, answer, true);
        settled.onWritten();
        return;
      }
      const { sent, checkedAt } = answer;
      gathered.push({
        receipt,
        sent,
        checkedAt,
        turn: turnOf(receipt, checkedAt, ctx.pacing()),
        answer,
        ...settled,
      });
      if (gathered.length >= rowsPerWrite) void flush();
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
    receipt.not_found === null &&
    receipt.overdue_since === null
  );
}
