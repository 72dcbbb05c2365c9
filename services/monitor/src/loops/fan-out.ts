import { createWakeableTimer, inContext, inSpan, isTransient, newContext } from '@casewatch/platform';
import { fanOutBatch } from '../changes/fan-out.ts';
import type { Context } from '../context.ts';
import type { FanOut } from '../domain/fan-out.ts';
import { ConflictError } from '../store/conflict.ts';

/** How often the sender looks without a signal, ms: an operator's command or a former sender left work. */
const sweepMs = 5_000;
const rowsPerPass = 1_000;
/** Receipts in work at the same time: a transaction waits for the majority far longer than it works. */
const receiptsAtOnce = 8;
/** How long a receipt whose change could not be passed on waits, ms; twice as long with each failure. */
const waits = { firstMs: 5_000, longestMs: 5 * 60_000 };

/** Receipts whose change could not be passed on. `untilMs`: of the process's clock. */
type Failed = Map<string, { untilMs: number; tries: number }>;

/** Turns the changes of receipts into events of their cases. The sender does this; it records the changes. */
export async function fanOutChanges(ctx: Context, signal: AbortSignal): Promise<void> {
  const timer = createWakeableTimer(signal);
  const failed: Failed = new Map();
  ctx.signals.on('fanOuts', timer.wake);
  while (!signal.aborted) if (!(await pass(ctx, failed, signal))) await timer.sleep(sweepMs);
  ctx.signals.off('fanOuts', timer.wake);
}

/**
 * One batch of each receipt, so that no receipt waits for another one with many cases. Reads on behind rows that could not be
 * passed on, so that they hide none. False if nothing was done.
 */
async function pass(ctx: Context, failed: Failed, signal: AbortSignal): Promise<boolean> {
  let isBusy = false;
  const met = new Set<string>();
  let last = '';
  try {
    for (;;) {
      const rows = await ctx.stores.fanOuts.findAfter(last, rowsPerPass);
      const due = rows.filter((row) => {
        // The cases of a receipt get its changes in order.
        if (met.has(row.receipt_number)) return false;
        met.add(row.receipt_number);
        return performance.now() >= (failed.get(row.receipt_number)?.untilMs ?? 0);
      });
      for (let i = 0; i < due.length; i += receiptsAtOnce) {
        if (signal.aborted) return isBusy;
        const next = due.slice(i, i + receiptsAtOnce);
        const done = await Promise.all(next.map((row) => passOn(ctx, failed, row)));
        isBusy ||= done.includes(true);
      }
      last = rows.at(-1)?._id ?? '';
      if (isBusy || rows.length < rowsPerPass) return isBusy;
    }
  } catch (error) {
    ctx.log.warn({ err: error }, 'pending fan-outs not loaded; trying again');
    return isBusy;
  }
}

async function passOn(ctx: Context, failed: Failed, row: FanOut): Promise<boolean> {
  try {
    const context = newContext(row.request_id, row.traceparent);
    const rest = await inContext(context, () =>
      inSpan({ name: 'fan out change' }, () => fanOutBatch(ctx, row)),
    );
    failed.delete(row.receipt_number);
    if (rest === null) {
      const lagS = (ctx.clock.now().getTime() - row.at.getTime()) / 1_000;
      ctx.metrics.all['monitor.fan_out_lag'].record(Math.max(0, lagS));
    }
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return true;
    // An outage ends by itself, so its tries do not count.
    const tries = isTransient(error) ? 1 : (failed.get(row.receipt_number)?.tries ?? 0) + 1;
    const waitMs = Math.min(waits.firstMs * 2 ** (tries - 1), waits.longestMs);
    failed.set(row.receipt_number, { untilMs: performance.now() + waitMs, tries });
    ctx.metrics.all['monitor.fan_out_failed'].add(1);
    ctx.log.warn({ err: error, tries }, 'fan-out of a change failed; trying again');
    return false;
  }
}
