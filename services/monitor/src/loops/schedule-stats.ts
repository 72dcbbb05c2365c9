import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { checkAges } from '../domain/check-ages.ts';
import { scheduleClasses } from '../domain/schedule-class.ts';

const refreshEveryMs = 5_000;
const collectEveryMs = 10_000;
/** Maximum share of the time that collecting takes, for any number of receipts. */
const maxShareOfTime = 1 / 300;

/** Every replica reads the statistics of the sender and stretches its intervals by them. */
export function refreshStats({ capacityMonitor, log }: Context): Running {
  return every(refreshEveryMs, capacityMonitor.refresh, (error) => {
    log.warn({ err: error }, 'schedule statistics not read');
  });
}

export function collectStats(ctx: Context): Running {
  let nextAtMs = 0;
  async function refresh(): Promise<void> {
    const startMs = performance.now();
    if (startMs < nextAtMs) return;
    try {
      await collect(ctx);
      await ctx.capacityMonitor.refresh();
    } finally {
      nextAtMs = performance.now() + (performance.now() - startMs) / maxShareOfTime;
    }
  }
  return every(collectEveryMs, refresh, (error) => {
    ctx.log.warn({ err: error }, 'schedule statistics not collected');
  });
}

async function collect({ stores: { scheduleStats }, clock }: Context): Promise<void> {
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
}
