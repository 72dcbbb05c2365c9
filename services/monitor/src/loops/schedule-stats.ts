import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { checkAges } from '../domain/check-ages.ts';
import { scheduleClasses } from '../domain/schedule-class.ts';

const refreshEveryMs = 5_000;
const collectEveryMs = 10_000;
/** Pause after a collection for each watched receipt, ms: every 10 s for up to 10,000 receipts, every 17 min for a million. */
const pausePerReceiptMs = 1;

/** Every replica reads the statistics of the sender and stretches its intervals by them. */
export function refreshStats({ capacityMonitor, log }: Context): Running {
  return every(refreshEveryMs, capacityMonitor.refresh, (error) => {
    log.warn({ err: error }, 'schedule statistics not read');
  });
}

export function collectStats(ctx: Context): Running {
  let nextAtMs = 0;
  let watched = 0;
  async function refresh(): Promise<void> {
    if (performance.now() < nextAtMs) return;
    try {
      watched = await collect(ctx);
      await ctx.capacityMonitor.refresh();
    } finally {
      nextAtMs = performance.now() + watched * pausePerReceiptMs;
    }
  }
  return every(collectEveryMs, refresh, (error) => {
    ctx.log.warn({ err: error }, 'schedule statistics not collected');
  });
}

/** Returns the number of watched receipts. */
async function collect({ stores: { scheduleStats }, clock }: Context): Promise<number> {
  const counts = await scheduleStats.count();
  const watched = scheduleClasses.reduce((sum, name) => sum + counts[name], 0);
  const checks = await scheduleStats.lastChecks(watched);
  const longestDue = [];
  for (const name of scheduleClasses) longestDue.push(...(await scheduleStats.longestDue(name)));
  const taken_at = clock.now();
  await scheduleStats.write({
    taken_at,
    counts,
    ages: checkAges(checks, longestDue, taken_at),
    overdue: await scheduleStats.countOverdue(),
  });
  return watched;
}
