import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { dayMs } from '../domain/schedule.ts';
import { createOverdueSweep } from '../scheduling/overdue.ts';

const minMs = 1_000;
const maxMs = 60_000;

/** Searches for overdue receipts. The first round is empty: a new sender checks due receipts first. */
export function reportOverdue(ctx: Context): Running {
  const everyMs = Math.min(Math.max(minMs, dayMs * ctx.config.MONITOR_INTERVAL_SCALE), maxMs);
  const sweep = createOverdueSweep(ctx);
  let isFirst = true;
  async function work(signal: AbortSignal): Promise<void> {
    if (!isFirst) await sweep(signal);
    isFirst = false;
  }
  return every(everyMs, work, (error) => ctx.log.warn({ err: error }, 'search for overdue receipts failed'));
}
