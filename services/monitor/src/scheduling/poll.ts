import { createWakeableTimer, inTrace, pause } from '@casewatch/platform';
import { answerOf, type CheckResult } from '../domain/outcome.ts';
import { SendRefusedError } from '../sending/send-permit.ts';
import type { DueReceipt } from '../store/due-receipts.ts';
import { createFailedChecks } from './failed-checks.ts';
import type { SenderContext } from './sender-context.ts';

/** Checks that wait for a permit at once. Few, so that the most urgent receipt goes first. */
const maxWaiting = 2;
/** Pauses while something blocks the next check, and while the queue is empty: then it ends the pause. */
const blockedMs = 50;
const idleMs = 500;
const longestPauseMs = 1_000;

export async function poll(ctx: SenderContext): Promise<void> {
  const { lease, upstream, sender, writer, queue, changeRates, pacer } = ctx;
  const failed = createFailedChecks(ctx);
  const inFlight = new Set<Promise<void>>();
  const waiting = new Set<DueReceipt>();
  const waker = createWakeableTimer(lease.signal);
  queue.wakeOn(waker.wake);

  async function checkOne(row: DueReceipt): Promise<void> {
    waiting.add(row);
    const onStarted = () => {
      waiting.delete(row);
      waker.wake();
    };
    try {
      const asked = { receiptNumber: row._id, wasSeen: row.facts_hash !== null };
      // Without a token, a check ends before it gets a permit.
      const checked = await sender.check(asked, 'background', onStarted).finally(onStarted);
      await record(row, checked);
    } catch (error) {
      if (error instanceof SendRefusedError) {
        pacer.release();
        await pause(Math.min(error.waitMs, longestPauseMs), lease.signal);
        return queue.putBack(row);
      }
      ctx.log.warn({ err: error }, 'check failed; the receipt stays due');
      failed.hold(row);
    }
  }

  async function record(row: DueReceipt, checked: CheckResult): Promise<void> {
    const answer = answerOf(checked);
    if (!answer) return await failed.noteOutcome(row, checked);
    try {
      await writer.recordDue(row, answer);
      queue.complete(row._id);
      changeRates.note(row, answer);
    } catch (error) {
      ctx.log.warn({ err: error }, 'answer not recorded; the receipt is checked again later');
      await failed.postpone(row, checked.sent);
    }
  }

  while (!lease.signal.aborted) {
    const isBusy =
      waiting.size >= maxWaiting || inFlight.size >= ctx.maxInFlight || upstream.blockedBy() !== null;
    const isIdle = !isBusy && pacer.hasRoom();
    const row = isIdle ? queue.take(ctx.clock.now()) : undefined;
    if (!row) {
      await waker.sleep(isIdle ? idleMs : blockedMs);
      continue;
    }
    pacer.acquire();
    const work = inTrace({ name: 'check receipt' }, () => checkOne(row));
    inFlight.add(work);
    void work.finally(() => inFlight.delete(work)).then(waker.wake);
  }
  await Promise.all(inFlight);
}
