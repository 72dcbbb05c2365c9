import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { durations } from '../domain/schedule.ts';
import { createOverdueSweep } from '../scheduling/overdue.ts';

const mostMs = 60_000;
const leastMs = 1_000;

/** Looks for receipts that were not checked for too long. A sender that takes over checks what it can before the first look. */
export function reportOverdue(ctx: Context): Running {
  const everyMs = Math.min(Math.max(leastMs, durations.dayMs * ctx.config.MONITOR_INTERVAL_SCALE), mostMs);
  const sweep = createOverdueSweep(ctx);
  let isFirst = true;
  async function look(signal: AbortSignal): Promise<void> {
    if (!isFirst) await sweep(signal);
    isFirst = false;
  }
  return every(everyMs, look, (error) => ctx.log.warn({ err: error }, 'overdue receipts not looked for'));
}
