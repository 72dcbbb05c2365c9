import { alignedMs, createWakeableTimer, inContext, inSpan, newContext } from '@casewatch/platform';
import { fanOutBatch } from '../changes/fan-out.ts';
import type { Context } from '../context.ts';
import type { FanOut } from '../domain/fan-out.ts';
import { ConflictError } from '../store/conflict.ts';

/** How often the sender looks without a signal, ms: an operator's command or a former sender left work. */
const sweepMs = 5_000;
const rowsPerPass = 1_000;

/** Turns the changes of receipts into events of their cases. The sender does this; it records the changes. */
export async function fanOutChanges(ctx: Context, signal: AbortSignal): Promise<void> {
  const timer = createWakeableTimer(signal);
  ctx.signals.on('fanOuts', timer.wake);
  while (!signal.aborted) if (!(await pass(ctx, signal))) await timer.sleep(alignedMs(sweepMs));
  ctx.signals.off('fanOuts', timer.wake);
}

/** One batch of each receipt, so that no receipt waits for another one with many cases. False if nothing was done. */
async function pass(ctx: Context, signal: AbortSignal): Promise<boolean> {
  let isBusy = false;
  try {
    const rows = await ctx.stores.fanOuts.findAfter('', rowsPerPass);
    // The cases of a receipt get its changes in order.
    for (const [first] of Map.groupBy(rows, (row) => row.receipt_number).values())
      if (first && !signal.aborted && (await passOn(ctx, first))) isBusy = true;
  } catch (error) {
    ctx.log.warn({ err: error }, 'changes not passed on to their cases; trying again');
  }
  return isBusy;
}

async function passOn(ctx: Context, row: FanOut): Promise<boolean> {
  try {
    const context = newContext(row.request_id, row.traceparent);
    const rest = await inContext(context, () =>
      inSpan({ name: 'fan out change' }, () => fanOutBatch(ctx, row)),
    );
    if (rest === null) {
      const lagS = (ctx.clock.now().getTime() - row.at.getTime()) / 1_000;
      ctx.metrics.all['monitor.fan_out_lag'].record(Math.max(0, lagS));
    }
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return true;
    ctx.log.warn({ err: error }, 'a change was not passed on to its cases; trying again');
    return false;
  }
}
