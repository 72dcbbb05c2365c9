import type { Context } from '../context.ts';
import type { QuotaUse } from '../domain/quota.ts';
import { type Bucket, type Refill, refilled, refillFor } from '../domain/token-bucket.ts';
import { readQuotaUse } from '../sending/quota-use.ts';

/** Spreads scheduled checks over the quota day (monitor.md, Schedule). The budget, not this pacer, enforces the quota. */
export function createDailyPacer(ctx: Context) {
  const { USCIS_DAILY_BUDGET: daily, MONITOR_AHEAD_HOURS: aheadHours } = ctx.config;
  const size = Math.max(1, (daily * aheadHours) / 24);
  let bucket: Bucket = { checks: size, atMs: performance.now() };
  let refill: Refill = { size, perMs: 0 };
  let use: QuotaUse | null = null;

  const change = (checks: number) => {
    const now = refilled(bucket, refill, performance.now());
    bucket = { ...now, checks: Math.min(size, now.checks + checks) };
  };

  return {
    quotaUse: () => use,
    hasRoom: () => aheadHours >= 24 || refilled(bucket, refill, performance.now()).checks >= 1,
    acquire: () => change(-1),
    release: () => change(1),
    async refresh(): Promise<void> {
      const read = await readQuotaUse(ctx);
      use = read;
      change(0);
      // At this pace, background does not reach the reserve for live checks, which shrinks as the day goes on.
      const checks = daily - read.interactive.used - read.background.used;
      refill = refillFor({ checks, openMs: ctx.dayParts.openMsLeft(ctx.clock.now()) }, size);
    },
  };
}
