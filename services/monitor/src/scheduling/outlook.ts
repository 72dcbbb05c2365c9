import { type Logger, pause } from '@casewatch/platform';
import type { MonitorConfig } from '../config.ts';
import { availablePerDay, type Capacity, capacityOf } from '../domain/capacity.ts';
import { parseHours } from '../domain/hours.ts';
import type { Pacing } from '../domain/schedule.ts';
import type { Census } from '../store/census.ts';
import type { Stores } from '../store/stores.ts';

/** What every replica knows of the watched receipts without counting them. */
export type Outlook = {
  /** As the sender counted last; null before the first time. */
  census(): Census | null;
  /** Need against quota, and the stretch that follows; null before the first census. */
  capacity(): Capacity | null;
  /** Whether a new case can be taken on: not where intervals are stretched too far already. */
  acceptsNewCases(): boolean;
  refresh(): Promise<void>;
  stop(): Promise<void>;
};

type Options = { stores: Pick<Stores, 'census'>; config: MonitorConfig; pacing: Pacing; log: Logger };

const everyMs = 5_000;

/** Follows the census, and stretches this replica's intervals by it. */
export function followCensus({ stores, config, pacing, log }: Options): Outlook {
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
  const stopping = new AbortController();
  let census: Census | null = null;
  let capacity: Capacity | null = null;

  async function refresh(): Promise<void> {
    census = await stores.census.read();
    capacity = census && capacityOf(census.counts, limits);
    const stretch = capacity?.stretch ?? pacing.stretch;
    if (stretch.others >= 2 && pacing.stretch.others < 2)
      log.warn({ stretch: stretch.others }, 'the quota is too small: intervals are stretched');
    pacing.stretch = stretch;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await refresh().catch((error: unknown) => log.warn({ err: error }, 'no census read; as before'));
      await pause(everyMs, stopping.signal);
    }
  }

  const running = run();
  return {
    census: () => census,
    capacity: () => capacity,
    acceptsNewCases: () => (capacity?.stretch.others ?? 1) <= config.MONITOR_MAX_STRETCH,
    refresh,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
