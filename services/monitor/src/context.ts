import type { Base, ContextInput } from '@casewatch/platform';
import { createUscis, type Uscis } from './clients/uscis.ts';
import type { MonitorConfig } from './config.ts';
import { type Hours, parseHours } from './domain/hours.ts';
import { createQuotaDays, type QuotaDays } from './domain/quota-day.ts';
import type { Pacing } from './domain/schedule.ts';
import { createScheduleMetrics, type ScheduleMetrics } from './scheduling/metrics.ts';
import { createOutlook, type Outlook } from './scheduling/outlook.ts';
import { createSendingMetrics, type SendingMetrics } from './sending/metrics.ts';
import { createStores, type Stores } from './store/stores.ts';

/** What every part of the monitor works with. */
export type Context = Pick<Base<'monitor'>, 'log' | 'clock' | 'ids' | 'db' | 'bus' | 'outbox'> & {
  readonly config: MonitorConfig;
  readonly stores: Stores;
  /** When the government's service is open; null = always. */
  readonly hours: Hours | null;
  readonly quotaDays: QuotaDays;
  readonly uscis: Uscis;
  /** Requests to the government under way at most, of the schedule's. */
  readonly maxInFlight: number;
  readonly outlook: Outlook;
  /** The intervals as they are stretched now. */
  pacing(): Pacing;
  readonly sendingMetrics: SendingMetrics;
  readonly scheduleMetrics: ScheduleMetrics;
};

/** Longest that one call takes, s: so many are under way at once at most. */
const longestCallS = 6;
/** More than the schedule takes: for live checks. */
const spareInFlight = 16;

export function createContext({ base, config }: ContextInput<'monitor', MonitorConfig>): Context {
  const { log, clock, ids, db, bus, outbox, meter } = base;
  const stores = createStores(db);
  const hours = parseHours(config.USCIS_HOURS);
  const outlook = createOutlook({ stores, config, hours, log });
  const maxInFlight = Math.min(Math.max(16, Math.ceil(config.USCIS_RATE_PER_SECOND * longestCallS)), 256);
  const uscis = createUscis({
    tokenUrl: config.USCIS_TOKEN_URL,
    apiUrl: config.USCIS_API_URL,
    clientId: config.USCIS_CLIENT_ID,
    clientSecret: config.USCIS_CLIENT_SECRET,
    demoId: config.USCIS_DEMO_ID,
    maxInFlight: maxInFlight + spareInFlight,
  });
  base.onStop(() => uscis.close());
  return {
    config,
    log,
    clock,
    ids,
    db,
    bus,
    outbox,
    stores,
    hours,
    quotaDays: createQuotaDays(config.USCIS_QUOTA_RESET_TZ),
    uscis,
    maxInFlight,
    outlook,
    pacing: () => ({
      scale: config.MONITOR_INTERVAL_SCALE,
      stretch: outlook.stretch(),
      random: Math.random,
    }),
    sendingMetrics: createSendingMetrics(meter),
    scheduleMetrics: createScheduleMetrics(meter, outlook),
  };
}
