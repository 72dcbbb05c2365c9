import { EventEmitter } from 'node:events';
import type { Base, ContextInput } from '@casewatch/platform';
import { createUscis, type Uscis } from './clients/uscis.ts';
import type { MonitorConfig } from './config.ts';
import { createDayParts, type DayParts } from './domain/day-parts.ts';
import { type Hours, parseHours } from './domain/hours.ts';
import { createQuotaDays, type QuotaDays } from './domain/quota-day.ts';
import type { ScheduleParams } from './domain/schedule.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createPlanner, type Planner } from './scheduling/planner.ts';
import { createStores, type Stores } from './store/stores.ts';

export type Context = Pick<Base<'monitor'>, 'log' | 'clock' | 'ids' | 'db' | 'bus' | 'outbox'> & {
  readonly config: MonitorConfig;
  readonly stores: Stores;
  readonly signals: EventEmitter<{ fanOuts: [] }>;
  /** Opening hours of USCIS; null = always open. */
  readonly hours: Hours | null;
  readonly quotaDays: QuotaDays;
  readonly dayParts: DayParts;
  readonly uscis: Uscis;
  readonly maxInFlight: number;
  readonly planner: Planner;
  scheduleParams(): ScheduleParams;
  readonly metrics: Metrics;
};

const longestCallS = 6;
const spareInFlight = 16;

export function createContext({ base, config }: ContextInput<'monitor', MonitorConfig>): Context {
  const { log, clock, ids, db, bus, outbox, meter } = base;
  const stores = createStores(db);
  const hours = parseHours(config.USCIS_HOURS);
  const quotaDays = createQuotaDays(config.USCIS_QUOTA_RESET_TZ);
  const planner = createPlanner({ stores, config, hours, quotaDays, now: clock.now, log });
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
    signals: new EventEmitter(),
    hours,
    uscis,
    maxInFlight,
    planner,
    scheduleParams: planner.scheduleParams,
    quotaDays,
    dayParts: createDayParts(quotaDays, hours),
    metrics: createMetrics(meter, planner),
  };
}
