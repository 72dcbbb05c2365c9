import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { takeCensus } from '../scheduling/census.ts';

const leastMs = 10_000;
/** A census may take so much of the time, whatever the number of receipts. */
const shareOfTime = 1 / 300;

/** The sender counts the watched receipts from time to time, so that no other replica has to. */
export function takeCensuses(ctx: Context): Running {
  let nextAtMs = 0;
  async function take(): Promise<void> {
    const startMs = performance.now();
    if (startMs < nextAtMs) return;
    try {
      await takeCensus(ctx);
      await ctx.outlook.refresh();
    } finally {
      nextAtMs = performance.now() + (performance.now() - startMs) / shareOfTime;
    }
  }
  return every(leastMs, take, (error) => ctx.log.warn({ err: error }, 'no census'));
}
