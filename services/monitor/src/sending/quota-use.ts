import type { Context } from '../context.ts';
import { createQuotaDays } from '../domain/quota-day.ts';
import type { QuotaUse } from './metrics.ts';
import { interactiveLimits } from '../store/upstream-budget.ts';

/** What each lane used of today's quota and may still use: what one does not use, the other may borrow (monitor.md). */
export async function quotaUseOf(ctx: Pick<Context, 'config' | 'clock' | 'stores'>): Promise<QuotaUse> {
  const { config, clock, stores } = ctx;
  const { day } = createQuotaDays(config.USCIS_QUOTA_RESET_TZ).at(clock.now());
  const { interactive, background } = await stores.budget.read(day);
  const daily = config.USCIS_DAILY_BUDGET;
  const { share, most } = interactiveLimits(daily, lanesOf(config));
  const whole = Math.max(0, daily - interactive - background);
  return {
    interactive: { used: interactive, left: Math.max(0, Math.min(most - interactive, whole)) },
    background: { used: background, left: Math.max(0, daily - background - Math.max(share, interactive)) },
  };
}

/** The interactive lane's part of the day, as the settings have it. */
export function lanesOf(config: Context['config']): { share: number; most: number } {
  return { share: config.MONITOR_INTERACTIVE_SHARE, most: config.MONITOR_INTERACTIVE_MOST };
}
