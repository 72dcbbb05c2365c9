import { type Clock, createBase, type RunningService, startHttp, systemClock } from '@casewatch/platform';
import { createUscis } from './clients/uscis.ts';
import type { MonitorConfig } from './config.ts';
import type { Context } from './context.ts';
import type { Pacing } from './domain/schedule.ts';
import { unstretched } from './domain/stretch.ts';
import { subscriptions } from './events/subscriptions.ts';
import { followCensus } from './scheduling/outlook.ts';
import { createScheduleMetrics } from './scheduling/metrics.ts';
import { startSending } from './loops/send.ts';
import { createSendingMetrics } from './sending/metrics.ts';
import { lanesOf } from './sending/quota-use.ts';
import { answerShare } from './requests/share.ts';
import { answerStatus } from './requests/status.ts';
import { database } from './store/database.ts';
import { createStores } from './store/stores.ts';

/** Longest that one call takes, s: so many are under way at once at most. */
const longestCallS = 6;

/** Starts the monitor: config → context → requests, events, loops. */
export async function startMonitor(
  config: MonitorConfig,
  clock: Clock = systemClock,
): Promise<RunningService> {
  const base = await createBase('monitor', config, clock);
  try {
    const stores = createStores(base.db, config.USCIS_DAILY_BUDGET, lanesOf(config));
    await base.migrate(database);
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
    const pacing: Pacing = {
      scale: config.MONITOR_INTERVAL_SCALE,
      stretch: unstretched,
      random: Math.random,
    };
    const outlook = followCensus({ stores, config, pacing, log: base.log });
    base.onStop(() => outlook.stop());
    const scheduleMetrics = createScheduleMetrics(base.meter, outlook);
    const sendingMetrics = createSendingMetrics(base.meter);
    const ctx: Context = { ...base, config, stores, pacing, uscis, sendingMetrics, scheduleMetrics, outlook };
    base.bus.serve('monitor.status', answerStatus(ctx));
    base.bus.serve('monitor.share', answerShare(ctx));
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
