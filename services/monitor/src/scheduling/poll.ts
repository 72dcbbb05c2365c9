import { createWakeableTimer, type HeldLease, pause } from '@casewatch/platform';
import type { AnswerWriter } from '../changes/answer-writer.ts';
import { markOverdue } from '../changes/mark-overdue.ts';
import { parseAnswer } from '../changes/parse-answer.ts';
import type { Context } from '../context.ts';
import { wasSeen } from '../domain/receipt.ts';
import { isOverdue, retryCheckAt } from '../domain/schedule.ts';
import { SendRefusedError } from '../sending/send-permit.ts';
import type { Sender } from '../sending/sender.ts';
import type { DueReceipt } from '../store/receipts.ts';
import { createDailyPacer } from './daily-pacer.ts';
import type { DueQueue } from './due-queue.ts';
import { overdueLimit } from './overdue.ts';

type Options = { lease: HeldLease; sender: Sender; writer: AnswerWriter; queue: DueQueue };

/** Checks that wait for a permit at once. Few, so that the most urgent receipt goes first. */
const maxWaiting = 2;
const idleMs = 50;

/** Checks due receipts as fast as permits are given, until the lease ends. */
export async function poll(ctx: Context, { lease, sender, writer, queue }: Options): Promise<void> {
  const pacer = createDailyPacer(ctx);
  const inFlight = new Set<Promise<void>>();
  let waiting = 0;
  const waker = createWakeableTimer(lease.signal);

  async function checkOne(row: DueReceipt): Promise<void> {
    waiting += 1;
    let isWaiting = true;
    const onStarted = () => {
      if (!isWaiting) return;
      waiting -= 1;
      isWaiting = false;
      waker.wake();
    };
    try {
      const checked = await sender.check({ receiptNumber: row._id, wasSeen: wasSeen(row) }, onStarted);
      const answer = parseAnswer(ctx, checked);
      const callbacks = {
        onWritten: () => queue.complete(row._id),
        onLost: () => queue.requeueFromStore(row._id),
      };
      if (answer) return await writer.recordDue(row, answer, callbacks);
      if (checked.outcome.outcome === 'rate_limited') return queue.putBack(row);
      await postpone(ctx, row);
      queue.complete(row._id);
    } catch (error) {
      onStarted();
      if (error instanceof SendRefusedError) {
        pacer.release();
        await pause(Math.min(error.waitMs, 1_000), lease.signal);
        return queue.putBack(row);
      }
      ctx.log.warn({ err: error }, 'check failed; the receipt stays due');
      queue.requeueFromStore(row._id);
    } finally {
      onStarted();
    }
  }

  while (!lease.signal.aborted) {
    await pacer.refresh();
    const isBusy = waiting >= maxWaiting || inFlight.size >= ctx.maxInFlight || sender.blockedBy() !== null;
    const row = isBusy || !pacer.hasRoom() ? undefined : queue.take(ctx.clock.now());
    if (!row) {
      await waker.sleep(idleMs);
      continue;
    }
    pacer.acquire();
    ctx.metrics.checkStarted(ctx.clock.now().getTime() - row.next_check_at.getTime());
    const work = checkOne(row);
    inFlight.add(work);
    void work.finally(() => inFlight.delete(work)).then(waker.wake);
  }
  await Promise.all(inFlight);
  await writer.flush();
}

async function postpone(ctx: Context, row: DueReceipt): Promise<void> {
  const now = ctx.clock.now();
  await ctx.stores.receipts.postpone(row._id, retryCheckAt(row, now, ctx.scheduleParams()));
  const before = overdueLimit(ctx, row.schedule_class, now);
  if (isOverdue(row, before)) await markOverdue(ctx, { receiptNumber: row._id, before, at: now });
}
