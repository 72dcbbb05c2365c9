import { inTrace, pause, type Running, worker } from '@casewatch/platform';
import { type CheckResult, isAboutReceipt } from '../domain/outcome.ts';
import { SendRefusedError } from '../sending/upstream.ts';
import type { DueReceipt } from '../store/receipts.ts';
import { createFailedChecks } from './failed-checks.ts';
import type { SenderContext } from './sender-context.ts';

/** Checks that run in parallel: those of 7 s, the longest duration, at 36 requests a second. */
const concurrency = 256;
/** Checks that wait for a permit at the same time. Few, so that the most urgent receipt goes first. */
const maxWaiting = 2;
/** Pauses while something blocks the next check, ms. A receipt that comes into the queue ends them. */
const sweepMs = 50;
const idleSweepMs = 1_000;
const longestPauseMs = 1_000;

/** Checks the receipts of the queue, one permit after the other. */
export function poll(ctx: SenderContext): Running {
  const { lease, log, upstream, sender, writer, queue, changeRates, pacer } = ctx;
  const failed = createFailedChecks(ctx);
  const waiting = new Set<DueReceipt>();
  let wake = () => {};

  async function checkOne(row: DueReceipt): Promise<void> {
    waiting.add(row);
    const onStarted = () => {
      waiting.delete(row);
      wake();
    };
    try {
      const asked = { receiptNumber: row._id, wasSeen: row.facts_hash !== null };
      // Without a token, a check ends before it gets a permit.
      await record(row, await sender.check(asked, 'background', onStarted).finally(onStarted));
    } catch (error) {
      if (error instanceof SendRefusedError) {
        pacer.release();
        await pause(Math.min(error.waitMs, longestPauseMs), lease.signal);
        return queue.putBack(row);
      }
      log.warn({ err: error }, 'check failed; the receipt stays due');
      failed.hold(row);
    }
  }

  async function record(row: DueReceipt, checked: CheckResult): Promise<void> {
    if (checked.outcome === 'rate_limited') return queue.putBack(row);
    if (checked.outcome === 'unreadable') return await failed.postpone(row, checked.sent);
    if (!isAboutReceipt(checked)) return failed.hold(row);
    try {
      await writer.recordDue(row, checked);
      queue.complete(row._id);
      changeRates.note(row, checked);
    } catch (error) {
      log.warn({ err: error }, 'answer not recorded; the receipt will be checked again later');
      await failed.postpone(row, checked.sent);
    }
  }

  return worker({
    log,
    name: 'checks',
    concurrency,
    sweepMs,
    idleSweepMs,
    async claim() {
      const isBlocked = waiting.size >= maxWaiting || upstream.blockedBy() !== null || !pacer.hasRoom();
      const row = isBlocked ? undefined : queue.take(ctx.clock.now());
      if (row) pacer.acquire();
      return row ?? null;
    },
    handle: (row) => inTrace({ name: 'check receipt' }, () => checkOne(row)),
    wakeOn(wakeWorker) {
      wake = wakeWorker;
      queue.wakeOn(wake);
    },
  });
}
