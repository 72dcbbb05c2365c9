import type { Context } from '../context.ts';
import { openMsBetween, parseHours } from '../domain/hours.ts';
import { createQuotaDays } from '../domain/quota-day.ts';
import { type Bucket, type Flow, filled, flowOf } from '../domain/spread.ts';
import { readQuotaUse } from '../sending/quota-use.ts';

export type Spread = {
  /** Whether the schedule may check one more now. */
  mayTake(): boolean;
  took(): void;
  /** It came to nothing. */
  gaveBack(): void;
  /** Looks from time to time at what is left of the day. */
  refresh(): Promise<void>;
};

const refreshMs = 10_000;

/**
 * Spreads the background's part of the day's quota over the day (monitor.md, Schedule), so that a backlog of the
 * morning does not leave the evening without checks. Never over the quota: that is the budget's affair.
 */
export function createSpread(ctx: Context): Spread {
  const { config } = ctx;
  const hours = parseHours(config.USCIS_HOURS);
  const days = createQuotaDays(config.USCIS_QUOTA_RESET_TZ);
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
    mayTake: () => config.MONITOR_AHEAD_HOURS >= 24 || filled(bucket, flow, performance.now()).checks >= 1,
    took: () => change(-1),
    gaveBack: () => change(1),
    async refresh() {
      const nowMs = performance.now();
      if (nowMs < refreshAtMs) return;
      refreshAtMs = nowMs + refreshMs;
      const now = ctx.clock.now();
      const openMs = openMsBetween(hours, now, new Date(days.at(now).endsMs));
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
