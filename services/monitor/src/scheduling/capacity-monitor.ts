import type { Logger } from '@casewatch/platform';
import type { MonitorConfig } from '../config.ts';
import { availablePerDay, type Capacity, capacityOf } from '../domain/capacity.ts';
import type { Hours } from '../domain/hours.ts';
import { unstretched } from '../domain/stretch.ts';
import type { ScheduleStats } from '../store/schedule-stats.ts';
import type { Stores } from '../store/stores.ts';

export type CapacityMonitor = ReturnType<typeof createCapacityMonitor>;

type Options = {
  stores: Pick<Stores, 'scheduleStats'>;
  config: MonitorConfig;
  hours: Hours | null;
  log: Logger;
};

/** Keeps the last statistics of the sender in every replica, with the capacity and stretch that follow. */
export function createCapacityMonitor({ stores, config, hours, log }: Options) {
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
  let stats: ScheduleStats | null = null;
  let capacity: Capacity | null = null;
  let stretch = unstretched;

  return {
    /** Null before the first statistics. */
    stats: () => stats,
    /** Null before the first statistics. */
    capacity: () => capacity,
    stretch: () => stretch,
    acceptsNewCases: () => (capacity?.stretch.others ?? 1) <= config.MONITOR_MAX_STRETCH,
    async refresh(): Promise<void> {
      stats = await stores.scheduleStats.read();
      capacity = stats && capacityOf(stats.counts, limits);
      const before = stretch;
      stretch = capacity?.stretch ?? before;
      if (stretch.others >= 2 && before.others < 2)
        log.warn({ stretch: stretch.others }, 'quota too small; check intervals are stretched');
    },
  };
}
