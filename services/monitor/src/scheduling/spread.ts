import type { Context } from '../context.ts';
import { openMsBetween } from '../domain/hours.ts';
import { type Bucket, type Flow, filled, flowOf } from '../domain/spread.ts';
import { readQuotaUse } from '../sending/quota-use.ts';

const refreshMs = 10_000;

/**
 * Spreads the background's part of the day's quota over the day (monitor.md, Schedule), so that a backlog of the
 * morning does not leave the evening without checks. Never over the quota: that is the budget's affair.
 */
export function createSpread(ctx: Context) {
  const { config } = ctx;
  const daily = config.USCIS_DAILY_BUDGET * (1 - config.MONITOR_INTERACTIVE_SHARE);
  const size = Math.max(1, (daily * config.MONITOR_AHEAD_HOURS) / 24);
  let bucket: Bucket = { checks: size, atMs: performance.now() };
  let flow: Flow = { size, perMs: 0 };
  let refreshAtMs = 0;

  const change = (checks: number) => {
    const now = filled(bucket, flow, performance.now());
    bucket = { ...now, checks: Math.min(size, now.checks + checks) };
  };

  return {
    /** Whether the schedule may check one more now. */
    mayTake: () => config.MONITOR_AHEAD_HOURS >= 24 || filled(bucket, flow, performance.now()).checks >= 1,
    took: () => change(-1),
    /** It came to nothing. */
    gaveBack: () => change(1),
    /** Looks from time to time at what is left of the day. */
    async refresh(): Promise<void> {
      const nowMs = performance.now();
      if (nowMs < refreshAtMs) return;
      refreshAtMs = nowMs + refreshMs;
      const now = ctx.clock.now();
      const openMs = openMsBetween(ctx.hours, now, new Date(ctx.quotaDays.at(now).endsMs));
      try {
        const { background } = await readQuotaUse(ctx);
        const left = { checks: background.left, openMs };
        change(0);
        flow = flowOf(left, size);
      } catch (error) {
        ctx.log.warn({ err: error }, 'what is left of the day is not known; as before');
      }
    },
  };
}
