import type { Context } from '../context.ts';
import type { QuotaUse } from '../domain/quota.ts';
import { createTokenBucket } from '../domain/token-bucket.ts';

/** Spreads scheduled checks over the quota day (monitor.md, Schedule). The budget, not this pacer, enforces the quota. */
export function createDailyPacer({ config, clock, quotaDays, readQuotaUse }: Context) {
  const { USCIS_DAILY_BUDGET: daily, MONITOR_AHEAD_HOURS: aheadHours } = config;
  const bucket = createTokenBucket(Math.max(1, (daily * aheadHours) / 24), performance.now());
  let use: QuotaUse | null = null;

  return {
    quotaUse: () => use,
    hasRoom: () => aheadHours >= 24 || bucket.add(0, performance.now()) >= 1,
    acquire: () => bucket.add(-1, performance.now()),
    release: () => bucket.add(1, performance.now()),
    async refresh(): Promise<void> {
      const now = clock.now();
      use = await readQuotaUse(now);
      // At this pace, background does not reach the reserve for live checks, which shrinks as the day goes on.
      const left = daily - use.interactive.used - use.background.used;
      bucket.spread(left, quotaDays.openMsLeft(now), performance.now());
    },
  };
}
