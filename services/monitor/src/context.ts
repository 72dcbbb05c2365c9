import { EventEmitter } from 'node:events';
import type { Base, ContextInput } from '@casewatch/platform';
import { createUscis } from './clients/uscis.ts';
import type { MonitorConfig } from './config.ts';
import { parseHours } from './domain/hours.ts';
import { type QuotaUse, quotaUseOf } from './domain/quota.ts';
import { createQuotaDays } from './domain/quota-day.ts';
import { createMetrics } from './metrics.ts';
import { createPlanner } from './scheduling/planner.ts';
import { createStores } from './store/stores.ts';

export type Context = ReturnType<typeof createContext>;

export type SharedContext = ReturnType<typeof createSharedContext>;

export function createContext({ base, config }: ContextInput<'monitor', MonitorConfig>) {
  const { ids, leases, bus, outbox, meter, serviceState, measured } = base;
  const shared = createSharedContext(base, config);
  const metrics = createMetrics(meter, shared.planner);
  const uscis = createUscis(config, {
    clock: shared.clock,
    onAssumedLife: () => metrics.all['monitor.unread_fields'].add(1, { field: 'expires_in' }),
  });
  base.onStop(() => uscis.close());
  const signals = new EventEmitter<{ fanOuts: [] }>();
  return { ...shared, ids, leases, bus, outbox, serviceState, measured, signals, uscis, metrics };
}

/** The context of events and loops (`ctx.db` is of their pool). The plan, which all share, is read as requests read. */
export function inBackground(ctx: Context): Context {
  return { ...ctx, stores: createStores(ctx.db) };
}

type Parts = Pick<Base<'monitor'>, 'db' | 'log' | 'clock' | 'wallClock'>;

/** The part that commands of the operator have too. */
export function createSharedContext({ db, log, clock, wallClock }: Parts, config: MonitorConfig) {
  const stores = createStores(db);
  const daily = config.USCIS_DAILY_BUDGET;
  const quota = { daily, share: config.MONITOR_INTERACTIVE_SHARE, max: config.MONITOR_INTERACTIVE_MOST };
  const hours = parseHours(config.USCIS_HOURS);
  const quotaDays = createQuotaDays(config.USCIS_QUOTA_RESET_TZ, hours);
  const planner = createPlanner({ stores, config, hours, quotaDays, clock, log });
  const readQuotaUse = async (now = clock.now()): Promise<QuotaUse> =>
    quotaUseOf(quota, await stores.budget.read(quotaDays.at(now).day), quotaDays.partLeft(now));
  return { config, db, log, clock, wallClock, stores, quota, hours, quotaDays, planner, readQuotaUse };
}
