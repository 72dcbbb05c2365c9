import type { Base } from '@casewatch/platform';
import type { MonitorConfig } from '../config.ts';
import { dayMs } from '../domain/buckets.ts';
import { availablePerDay, type Capacity, capacityOf, countsOf } from '../domain/capacity.ts';
import type { Hours } from '../domain/hours.ts';
import { type Plan, planFor } from '../domain/plan.ts';
import { interactiveLimits, type Quota } from '../domain/quota.ts';
import type { QuotaDays } from '../domain/quota-day.ts';
import type { RateCounters } from '../domain/status-rates.ts';
import type { ScheduleStats } from '../store/schedule-stats.ts';
import type { Stores } from '../store/stores.ts';

export type Planner = ReturnType<typeof createPlanner>;

type Parts = Pick<Base<'monitor'>, 'clock' | 'log'> & {
  stores: Stores;
  config: MonitorConfig;
  quota: Quota;
  hours: Hours | null;
  quotaDays: QuotaDays;
};

/** Solves the plan, in every replica, from the last statistics of the sender (monitor.md, Schedule). */
export function createPlanner({ stores, config, quota, hours, quotaDays, clock, log }: Parts) {
  const scale = config.MONITOR_INTERVAL_SCALE;
  const maxMedianMs = (config.MONITOR_MAX_MEDIAN_INTERVAL * dayMs) / 24;
  const available = (live: number) => availablePerDay(config, hours, live);
  const { share } = interactiveLimits(quota);
  let stats: ScheduleStats | null = null;
  let capacity: Capacity | null = null;
  let rates: RateCounters = new Map();
  let plan: Plan = planFor(new Map(), { perDay: available(share), scale });

  /** Live checks of today or yesterday: so many are expected in a day. */
  async function readLiveChecks(): Promise<number> {
    const { day, startsMs } = quotaDays.at(clock.now());
    const yesterday = quotaDays.at(new Date(startsMs - dayMs / 2)).day;
    const uses = await Promise.all([stores.budget.read(day), stores.budget.read(yesterday)]);
    return Math.max(...uses.map(({ interactive }) => interactive));
  }

  const acceptsNewCases = () => (capacity?.planned?.p50 ?? 0) * 1_000 <= maxMedianMs;

  async function refresh(): Promise<void> {
    const [latest, live, counters] = await Promise.all([
      stores.scheduleStats.read(),
      readLiveChecks(),
      stores.statusRates.read(),
    ]);
    rates = counters;
    if (!latest) return;
    stats = latest;
    const perDay = available(live);
    plan = planFor(countsOf(stats.buckets), { perDay, scale });
    const wasAccepting = acceptsNewCases();
    capacity = capacityOf(stats.buckets, stats.taken_at, { plan, perDay, scale, maxMedianMs });
    if (wasAccepting && !acceptsNewCases())
      log.warn({ median_s: capacity.planned?.p50 }, 'quota too small; new cases are refused');
  }

  return {
    stats: () => stats,
    capacity: () => capacity,
    plan: () => plan,
    scheduleParams: () => ({ scale, plan, rates }),
    acceptsNewCases,
    refresh,
  };
}
