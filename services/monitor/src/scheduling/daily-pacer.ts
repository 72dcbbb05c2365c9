import type { Context } from '../context.ts';
import { type Bucket, type Refill, refilled, refillFor } from '../domain/token-bucket.ts';

const refreshMs = 20_000;

/** Spreads scheduled checks over the quota day (monitor.md, Schedule). The budget, not this pacer, enforces the quota. */
export function createDailyPacer(ctx: Context) {
  const { config } = ctx;
  const size = Math.max(1, (config.USCIS_DAILY_BUDGET * config.MONITOR_AHEAD_HOURS) / 24);
  let bucket: Bucket = { checks: size, atMs: performance.now() };
  let refill: Refill = { size, perMs: 0 };
  let refreshAtMs = 0;

  const change = (checks: number) => {
    const now = refilled(bucket, refill, performance.now());
    bucket = { ...now, checks: Math.min(size, now.checks + checks) };
  };

  return {
    hasRoom: () =>
      config.MONITOR_AHEAD_HOURS >= 24 || refilled(bucket, refill, performance.now()).checks >= 1,
    acquire: () => change(-1),
    release: () => change(1),
    async refresh(): Promise<void> {
      const nowMs = performance.now();
      if (nowMs < refreshAtMs) return;
      refreshAtMs = nowMs + refreshMs;
      const now = ctx.clock.now();
      try {
        const { interactive, background } = await ctx.stores.budget.read(ctx.quotaDays.at(now).day);
        change(0);
        // At this pace, background does not reach the reserve for live checks, which shrinks as the day goes on.
        const checks = config.USCIS_DAILY_BUDGET - interactive - background;
        refill = refillFor({ checks, openMs: ctx.dayParts.openMsLeft(now) }, size);
      } catch (error) {
        ctx.log.warn({ err: error }, 'quota use not read; the pace of checks stays');
      }
    },
  };
}
