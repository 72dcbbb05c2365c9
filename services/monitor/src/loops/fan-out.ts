import { createWakeableTimer, inContext, inSpan, newContext, type Running } from '@casewatch/platform';
import { fanOutBatch } from '../changes/fan-out.ts';
import { ConflictError } from '../changes/retry-on-conflict.ts';
import type { Context } from '../context.ts';
import type { FanOut } from '../domain/fan-out.ts';

/** How often the sender looks without a signal, ms: an operator's command or a former sender left work. */
const sweepMs = 5_000;
const rowsPerPass = 200;

/** Turns the changes of receipts into events of their cases. The sender does this; it records the changes. */
export function fanOutChanges(ctx: Context): Running {
  const stopping = new AbortController();
  const timer = createWakeableTimer(stopping.signal);
  ctx.signals.on('fanOuts', timer.wake);
  const pass = createPass(ctx);

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const isIdle = await pass().catch((error: unknown) => {
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
function createPass(ctx: Context): () => Promise<boolean> {
  let cursor = '';
  return async () => {
    const isWhole = cursor === '';
    const rows = await ctx.stores.fanOuts.findAfter(cursor, rowsPerPass);
    // The next page begins with another receipt: the cases of a receipt get its changes in order.
    cursor = rows.length === rowsPerPass ? `${rows.at(-1)?.receipt_number}:~` : '';
    const firstOf = new Map<string, FanOut>();
    for (const row of rows) if (!firstOf.has(row.receipt_number)) firstOf.set(row.receipt_number, row);
    let isIdle = isWhole;
    for (const row of firstOf.values()) if (await passOn(ctx, row)) isIdle = false;
    return isIdle;
  };
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
