import type { Logger } from '@casewatch/platform';
import type { MonitorConfig } from '../config.ts';
import { availablePerDay, type Capacity, capacityOf } from '../domain/capacity.ts';
import type { Hours } from '../domain/hours.ts';
import { unstretched } from '../domain/stretch.ts';
import type { Census } from '../store/census.ts';
import type { Stores } from '../store/stores.ts';

export type Outlook = ReturnType<typeof createOutlook>;

type Options = { stores: Pick<Stores, 'census'>; config: MonitorConfig; hours: Hours | null; log: Logger };

/** What every replica knows of the watched receipts without counting them. */
export function createOutlook({ stores, config, hours, log }: Options) {
  const limits = {
    scale: config.MONITOR_INTERVAL_SCALE,
    maxStretch: config.MONITOR_MAX_STRETCH,
    availablePerDay: availablePerDay({
      dailyBudget: config.USCIS_DAILY_BUDGET,
      ratePerSecond: config.USCIS_RATE_PER_SECOND,
      margin: config.USCIS_PACE_MARGIN,
      hours,
      share: 1 - config.MONITOR_INTERACTIVE_SHARE,
    }),
  };
  let census: Census | null = null;
  let capacity: Capacity | null = null;
  let stretch = unstretched;

  return {
    /** As the sender counted last; null before the first time. */
    census: () => census,
    /** Need against quota, and the stretch that follows; null before the first census. */
    capacity: () => capacity,
    /** By what intervals are multiplied now. */
    stretch: () => stretch,
    /** Whether a new case can be taken on: not where intervals are stretched too far already. */
    acceptsNewCases: () => (capacity?.stretch.others ?? 1) <= config.MONITOR_MAX_STRETCH,
    /** Reads the last census. */
    async refresh(): Promise<void> {
      census = await stores.census.read();
      capacity = census && capacityOf(census.counts, limits);
      const before = stretch;
      stretch = capacity?.stretch ?? before;
      if (stretch.others >= 2 && before.others < 2)
        log.warn({ stretch: stretch.others }, 'the quota is too small: intervals are stretched');
    },
  };
}
