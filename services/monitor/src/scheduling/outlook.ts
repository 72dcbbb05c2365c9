import type { Logger } from '@casewatch/platform';
import type { MonitorConfig } from '../config.ts';
import { availablePerDay, type Capacity, capacityOf } from '../domain/capacity.ts';
import { parseHours } from '../domain/hours.ts';
import { type Stretch, unstretched } from '../domain/stretch.ts';
import type { Census } from '../store/census.ts';
import type { Stores } from '../store/stores.ts';

/** What every replica knows of the watched receipts without counting them. */
export type Outlook = {
  /** As the sender counted last; null before the first time. */
  census(): Census | null;
  /** Need against quota, and the stretch that follows; null before the first census. */
  capacity(): Capacity | null;
  /** By what intervals are multiplied now. */
  stretch(): Stretch;
  /** Whether a new case can be taken on: not where intervals are stretched too far already. */
  acceptsNewCases(): boolean;
  /** Reads the last census. */
  refresh(): Promise<void>;
};

type Options = { stores: Pick<Stores, 'census'>; config: MonitorConfig; log: Logger };

export function createOutlook({ stores, config, log }: Options): Outlook {
  const limits = {
    scale: config.MONITOR_INTERVAL_SCALE,
    maxStretch: config.MONITOR_MAX_STRETCH,
    availablePerDay: availablePerDay({
      dailyBudget: config.USCIS_DAILY_BUDGET,
      ratePerSecond: config.USCIS_RATE_PER_SECOND,
      margin: config.USCIS_PACE_MARGIN,
      hours: parseHours(config.USCIS_HOURS),
      share: 1 - config.MONITOR_INTERACTIVE_SHARE,
    }),
  };
  let census: Census | null = null;
  let capacity: Capacity | null = null;
  let stretch = unstretched;

  return {
    census: () => census,
    capacity: () => capacity,
    stretch: () => stretch,
    acceptsNewCases: () => (capacity?.stretch.others ?? 1) <= config.MONITOR_MAX_STRETCH,
    async refresh() {
      census = await stores.census.read();
      capacity = census && capacityOf(census.counts, limits);
      const before = stretch;
      stretch = capacity?.stretch ?? before;
      if (stretch.others >= 2 && before.others < 2)
        log.warn({ stretch: stretch.others }, 'the quota is too small: intervals are stretched');
    },
  };
}
