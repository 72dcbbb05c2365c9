import { EventEmitter } from 'node:events';
import type { Base, ContextInput } from '@casewatch/platform';
import { createUscis, type Uscis } from './clients/uscis.ts';
import type { MonitorConfig } from './config.ts';
import { createDayParts } from './domain/day-parts.ts';
import { parseHours } from './domain/hours.ts';
import { createQuotaDays } from './domain/quota-day.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createPlanner } from './scheduling/planner.ts';
import { createStores } from './store/stores.ts';

export type Context = SharedContext &
  Pick<Base<'monitor'>, 'ids' | 'bus' | 'outbox' | 'serviceState'> & {
    readonly signals: EventEmitter<{ fanOuts: [] }>;
    readonly uscis: Uscis;
    readonly maxInFlight: number;
    readonly metrics: Metrics;
  };

export type SharedContext = ReturnType<typeof createSharedContext>;

const longestCallS = 6;
const spareInFlight = 16;

export function createContext({ base, config }: ContextInput<'monitor', MonitorConfig>): Context {
  const { ids, bus, outbox, meter, serviceState } = base;
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
  const shared = createSharedContext(base, config);
  const metrics = createMetrics(meter, shared.planner);
  const signals: Context['signals'] = new EventEmitter();
  return { ...shared, ids, bus, outbox, serviceState, signals, uscis, maxInFlight, metrics };
}

type Parts = Pick<Base<'monitor'>, 'db' | 'log' | 'clock'>;

/** The part that commands of the operator have too. */
export function createSharedContext({ db, log, clock }: Parts, config: MonitorConfig) {
  const stores = createStores(db);
  const hours = parseHours(config.USCIS_HOURS);
  const quotaDays = createQuotaDays(config.USCIS_QUOTA_RESET_TZ);
  const dayParts = createDayParts(quotaDays, hours);
  const planner = createPlanner({ stores, config, hours, quotaDays, now: clock.now, log });
  const { scheduleParams } = planner;
  return { config, db, log, clock, stores, hours, quotaDays, dayParts, planner, scheduleParams };
}
