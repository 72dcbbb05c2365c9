import type { Base } from '@casewatch/platform';
import type { MonitorConfig } from '../config.ts';
import { dayMs } from '../domain/buckets.ts';
import { availablePerDay, type Capacity, capacityOf, countsOf } from '../domain/capacity.ts';
import type { Hours } from '../domain/hours.ts';
import { planFor } from '../domain/plan.ts';
import type { QuotaDays } from '../domain/quota-day.ts';
import type { RateCounters } from '../domain/status-rates.ts';
import type { ScheduleStats } from '../store/schedule-stats.ts';
import type { Stores } from '../store/stores.ts';

export type Planner = ReturnType<typeof createPlanner>;

type Parts = Pick<Base<'monitor'>, 'clock' | 'log'> & {
  stores: Stores;
  config: MonitorConfig;
  hours: Hours | null;
  quotaDays: QuotaDays;
};

/** Solves the plan, in every replica, from the last statistics of the sender (monitor.md, Schedule). */
export function createPlanner({ stores, config, hours, quotaDays, clock, log }: Parts) {
  const scale = config.MONITOR_INTERVAL_SCALE;
  const maxMedianMs = (config.MONITOR_MAX_MEDIAN_INTERVAL * dayMs) / 24;
  const acceptsNewCases = (): boolean => (planner.capacity?.planned?.p50 ?? 0) * 1_000 <= maxMedianMs;

  async function refresh(): Promise<void> {
    planner.rates = await stores.statusRates.read();
    const stats = await stores.scheduleStats.read();
    if (!stats) return;
    // Scheduled checks get what live checks have not used today.
    const live = await stores.budget.read(quotaDays.at(clock.now()).day);
    const perDay = availablePerDay(config, hours, live.interactive);
    const plan = planFor(countsOf(stats.buckets), { perDay, scale });
    const wasAccepting = acceptsNewCases();
    const capacity = capacityOf(stats.buckets, stats.taken_at, { plan, perDay, scale, maxMedianMs });
    Object.assign(planner, { stats, plan, capacity });
    if (wasAccepting && !acceptsNewCases())
      log.warn({ median_s: capacity.planned?.p50 }, 'quota too small; new cases are refused');
  }

  const planner = {
    hours,
    rates: new Map() as RateCounters,
    plan: planFor(new Map(), { perDay: availablePerDay(config, hours, 0), scale }),
    stats: null as ScheduleStats | null,
    capacity: null as Capacity | null,
    acceptsNewCases,
    refresh,
  };
  return planner;
}
