import { createWakeableTimer, inContext, inSpan, newContext, type Running } from '@casewatch/platform';
import { fanOutBatch } from '../changes/fan-out.ts';
import { ConflictError } from '../changes/retry-on-conflict.ts';
import type { Context } from '../context.ts';
import type { FanOut } from '../domain/fan-out.ts';

/** How often the sender looks without a signal, ms: an operator's command or a former sender left work. */
const sweepMs = 5_000;
const rowsPerPass = 1_000;

/** Turns the changes of receipts into events of their cases. The sender does this; it records the changes. */
export function fanOutChanges(ctx: Context): Running {
  const stopping = new AbortController();
  const timer = createWakeableTimer(stopping.signal);
  ctx.signals.on('fanOuts', timer.wake);

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const isIdle = await pass(ctx).catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'changes not passed on to their cases; trying again');
        return true;
      });
      if (isIdle) await timer.sleep(sweepMs);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      ctx.signals.off('fanOuts', timer.wake);
      await running;
    },
  };
}

/** One batch of each receipt in turn, so that no receipt waits for another one with many cases. True if nothing was done. */
async function pass(ctx: Context): Promise<boolean> {
  const rows = await ctx.stores.fanOuts.findAfter('', rowsPerPass);
  let isIdle = true;
  // The cases of a receipt get its changes in order.
  for (const [first] of Map.groupBy(rows, (row) => row.receipt_number).values())
    if (first && (await passOn(ctx, first))) isIdle = false;
  return isIdle;
}

async function passOn(ctx: Context, row: FanOut): Promise<boolean> {
  try {
    const context = newContext(row.request_id, row.traceparent);
    const rest = await inContext(context, () =>
      inSpan({ name: 'fan out change' }, () => fanOutBatch(ctx, row)),
    );
    if (rest === null) ctx.metrics.fanOutDone(ctx.clock.now().getTime() - row.at.getTime());
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return true;
    ctx.log.warn({ err: error }, 'a change was not passed on to its cases; trying again');
    return false;
  }
}
