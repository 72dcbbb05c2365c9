import { createBase, type RunningService, startHttp } from '@casewatch/platform';
import { createUscis } from './clients/uscis.ts';
import type { MonitorConfig } from './config.ts';
import type { Context } from './context.ts';
import { subscriptions } from './events/subscriptions.ts';
import { startSending } from './loops/send.ts';
import { answerStatus } from './requests/status.ts';
import { createStores } from './store/stores.ts';

/** Longest that one call takes, s: so many are under way at once at most. */
const longestCallS = 6;

/** Starts the monitor: config → context → requests, events, loops. */
export async function startMonitor(config: MonitorConfig): Promise<RunningService> {
  const base = await createBase('monitor', config);
  try {
    const stores = createStores(base.db, config.USCIS_DAILY_BUDGET);
    await Promise.all([stores.receipts.prepare(), stores.watches.prepare(), stores.budget.prepare()]);
    const maxInFlight = Math.min(Math.max(16, Math.ceil(config.USCIS_RATE_PER_SECOND * longestCallS)), 256);
    const uscis = createUscis({
      tokenUrl: config.USCIS_TOKEN_URL,
      apiUrl: config.USCIS_API_URL,
      clientId: config.USCIS_CLIENT_ID,
      clientSecret: config.USCIS_CLIENT_SECRET,
      demoId: config.USCIS_DEMO_ID,
      // Some more than the schedule takes: those are for who waits.
      maxInFlight: maxInFlight + 16,
    });
    base.onStop(() => uscis.close());
    const pacing = { scale: config.MONITOR_INTERVAL_SCALE, random: Math.random };
    const ctx: Context = { ...base, config, stores, pacing, uscis };
    base.bus.serve('monitor.status', answerStatus(ctx));
    base.begin(subscriptions(ctx));
    const sending = startSending(ctx, maxInFlight);
    base.onStop(() => sending.stop());
    const http = await startHttp({
      service: 'monitor',
      log: base.log,
      host: config.HOST,
      port: config.PORT,
      ready: base.ready,
    });
    base.onStop(() => http.stop(5_000));
    return { port: http.port, stop: base.stop };
  } catch (error) {
    await base.stop();
    throw error;
  }
}
