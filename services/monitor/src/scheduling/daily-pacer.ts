import type { Context } from '../context.ts';
import { openMsBetween } from '../domain/hours.ts';
import { type Bucket, type Refill, refilled, refillFor } from '../domain/token-bucket.ts';
import { readQuotaUse } from '../sending/quota-use.ts';

const refreshMs = 10_000;

/** Spreads scheduled checks over the quota day (monitor.md, Schedule). The budget, not this pacer, enforces the quota. */
export function createDailyPacer(ctx: Context) {
  const { config } = ctx;
  const daily = config.USCIS_DAILY_BUDGET * (1 - config.MONITOR_INTERACTIVE_SHARE);
  const size = Math.max(1, (daily * config.MONITOR_AHEAD_HOURS) / 24);
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
    /** Returns a check that was not made. */
    release: () => change(1),
    async refresh(): Promise<void> {
      const nowMs = performance.now();
      if (nowMs < refreshAtMs) return;
      refreshAtMs = nowMs + refreshMs;
      const now = ctx.clock.now();
      const openMs = openMsBetween(ctx.hours, now, new Date(ctx.quotaDays.at(now).endsMs));
      try {
        const { background } = await readQuotaUse(ctx);
        change(0);
        refill = refillFor({ checks: background.left, openMs }, size);
      } catch (error) {
        ctx.log.warn({ err: error }, 'quota use not read; the pace of checks stays');
      }
    },
  };
}
