import { createWakeableTimer, inTrace, pause } from '@casewatch/platform';
import type { HeldLease } from '@casewatch/platform/database';
import type { AnswerWriter } from '../changes/answer-writer.ts';
import { parseAnswer } from '../changes/parse-answer.ts';
import type { Context } from '../context.ts';
import { dueAt } from '../domain/plan.ts';
import { wasSeen } from '../domain/receipt.ts';
import { SendRefusedError } from '../sending/send-permit.ts';
import type { Sender } from '../sending/sender.ts';
import type { DueReceipt } from '../store/due-receipts.ts';
import type { ChangeRates } from './change-rates.ts';
import { createDailyPacer } from './daily-pacer.ts';
import type { DueQueue } from './due-queue.ts';
import { createFailedChecks } from './failed-checks.ts';

type Options = {
  lease: HeldLease;
  sender: Sender;
  writer: AnswerWriter;
  queue: DueQueue;
  changeRates: ChangeRates;
};

/** Checks that wait for a permit at once. Few, so that the most urgent receipt goes first. */
const maxWaiting = 2;
/** Pauses while something blocks the next check, and while no receipt is due: then the queue ends the pause. */
const blockedMs = 50;
const idleMs = 500;
const longestPauseMs = 1_000;

export async function poll(
  ctx: Context,
  { lease, sender, writer, queue, changeRates }: Options,
): Promise<void> {
  const pacer = createDailyPacer(ctx);
  const failed = createFailedChecks(ctx, { sender, queue });
  const inFlight = new Set<Promise<void>>();
  const waiting = new Set<() => void>();
  const waker = createWakeableTimer(lease.signal);
  queue.wakeOn(waker.wake);

  async function checkOne(row: DueReceipt): Promise<void> {
    const onStarted = () => {
      waiting.delete(onStarted);
      waker.wake();
    };
    waiting.add(onStarted);
    try {
      const asked = { receiptNumber: row._id, wasSeen: wasSeen(row) };
      await record(row, await sender.check(asked, 'background', onStarted));
    } catch (error) {
      onStarted();
      if (error instanceof SendRefusedError) {
        pacer.release();
        await pause(Math.min(error.waitMs, longestPauseMs), lease.signal);
        return queue.putBack(row);
      }
      ctx.log.warn({ err: error }, 'check failed; the receipt stays due');
      failed.hold(row);
    } finally {
      onStarted();
    }
  }

  async function record(row: DueReceipt, checked: Awaited<ReturnType<Sender['check']>>): Promise<void> {
    const answer = parseAnswer(ctx, checked);
    if (!answer) return await failed.noteOutcome(row, checked);
    const callbacks = {
      onWritten: () => queue.complete(row._id),
      onLost: () => failed.hold(row),
    };
    try {
      await writer.recordDue(row, answer, callbacks);
      changeRates.note(row, answer);
    } catch (error) {
      ctx.log.warn({ err: error }, 'answer not recorded; the receipt is checked again later');
      await failed.postpone(row, checked.sent);
    }
  }

  while (!lease.signal.aborted) {
    await pacer.refresh();
    const isBusy =
      waiting.size >= maxWaiting || inFlight.size >= ctx.maxInFlight || sender.blockedBy() !== null;
    const isIdle = !isBusy && pacer.hasRoom();
    const row = isIdle ? queue.take(ctx.clock.now()) : undefined;
    if (!row) {
      if (isIdle) queue.noteHunger();
      await waker.sleep(isIdle ? idleMs : blockedMs);
      continue;
    }
    pacer.acquire();
    const lateMs =
      ctx.clock.now().getTime() - dueAt(row.bucket, row.checked_at, ctx.planner.plan()).getTime();
    // Checked early: more receipts than are due can be checked.
    if (lateMs < 0) queue.noteHunger();
    ctx.metrics.checkStarted(lateMs);
    const work = inTrace({ name: 'check receipt' }, () => checkOne(row));
    inFlight.add(work);
    void work.finally(() => inFlight.delete(work)).then(waker.wake);
  }
  await Promise.all(inFlight);
  await writer.flush();
}
