import { createWakeableTimer, type HeldLease, pause } from '@casewatch/platform';
import { markOverdue } from '../changes/mark-overdue.ts';
import { parseAnswer } from '../changes/parse-answer.ts';
import type { Settler } from '../changes/settle.ts';
import type { Context } from '../context.ts';
import { isOverdue } from '../domain/overdue.ts';
import { retryCheckAt } from '../domain/schedule.ts';
import type { Sender } from '../sending/sender.ts';
import { TurnRefusedError } from '../sending/turn.ts';
import type { DueReceipt } from '../store/receipts.ts';
import type { DueQueue } from './due-queue.ts';
import { overdueLimit } from './overdue.ts';
import { createSpread } from './spread.ts';

type Options = { lease: HeldLease; sender: Sender; settler: Settler; queue: DueQueue };

/** So many wait for their turn at once: the soonest due goes first, and few permits are held. */
const maxWaiting = 2;
const idleMs = 50;

/** Asks for every receipt when it is due, as fast as turns are given, until the lease ends. */
export async function poll(ctx: Context, { lease, sender, settler, queue }: Options): Promise<void> {
  const spread = createSpread(ctx);
  const inFlight = new Set<Promise<void>>();
  let waiting = 0;
  const waker = createWakeableTimer(lease.signal);

  async function checkOne(row: DueReceipt): Promise<void> {
    waiting += 1;
    let isWaiting = true;
    const started = () => {
      if (!isWaiting) return;
      waiting -= 1;
      isWaiting = false;
      waker.wake();
    };
    try {
      const checked = await sender.check(row._id, started);
      const answer = parseAnswer(ctx, checked);
      const settled = { onWritten: () => queue.done(row._id), onLost: () => queue.lose(row._id) };
      if (answer) return await settler.settle(row, answer, settled);
      if (checked.outcome.outcome === 'rate_limited') return queue.putBack(row);
      await postpone(ctx, row);
      queue.done(row._id);
    } catch (error) {
      started();
      if (error instanceof TurnRefusedError) {
        spread.gaveBack();
        await pause(Math.min(error.waitMs, 1_000), lease.signal);
        return queue.putBack(row);
      }
      ctx.log.warn({ err: error }, 'check not settled; it comes again');
      queue.lose(row._id);
    } finally {
      started();
    }
  }

  while (!lease.signal.aborted) {
    await spread.refresh();
    const isBusy = waiting >= maxWaiting || inFlight.size >= ctx.maxInFlight || sender.blockedBy() !== null;
    const row = isBusy || !spread.mayTake() ? undefined : queue.take(ctx.clock.now());
    if (!row) {
      await waker.sleep(idleMs);
      continue;
    }
    spread.took();
    ctx.scheduleMetrics.asked(ctx.clock.now().getTime() - row.next_check_at.getTime());
    const work = checkOne(row);
    inFlight.add(work);
    void work.finally(() => inFlight.delete(work)).then(waker.wake);
  }
  await Promise.all(inFlight);
  await settler.flush();
}

/** A check that failed through no fault of the case: later again, and said where that has gone on for too long. */
async function postpone(ctx: Context, row: DueReceipt): Promise<void> {
  const now = ctx.clock.now();
  await ctx.stores.receipts.postpone(row._id, retryCheckAt(row, now, ctx.pacing()));
  const before = overdueLimit(ctx, row.schedule_class, now);
  if (isOverdue(row, before)) await markOverdue(ctx, { receiptNumber: row._id, before, at: now });
}
