import { z } from 'zod';
import { createApp } from '../http/create-app.ts';
import { addHealth, listen } from '../http/server.ts';
import { createHttpServer } from '../http/tls.ts';
import { measureDependencies, startMetrics } from '../process/metrics.ts';
import { guardLog, reportFailure } from '../process/run.ts';
import type { RunningService } from '../process/start.ts';
import { baseSettings, type Environment, integerSetting, readConfig } from '../settings/config.ts';
import { natsAccess } from '../settings/connection-settings.ts';
import { summaryOf } from '../settings/settings-of.ts';
import { keepStreams, type StreamKeeper, type StreamState } from '../streams/keep-streams.ts';
import { createLogger, newContext } from '../telemetry/logger.ts';
import { createInstrument } from '../telemetry/metric-table.ts';
import { streamsMetrics } from '../telemetry/platform-metrics.ts';

const { PORT, ...settings } = baseSettings;
export const streamsConfig = z.object({
  ...settings,
  PORT: PORT.default(8080),
  STREAM_REPLICAS: integerSetting(1, 5)
    .default(1)
    .describe('Copies of each stream: 1 on one machine, 3 in a cluster'),
});

const stopMs = 1_000;

/** Declares streams and consumers, and lost ones again, until it is stopped. @throws ConfigError */
export async function keepDeclared(env: Environment, { isBeside = false } = {}): Promise<RunningService> {
  const { HOST, PORT: port, METRICS_PORT, options } = optionsFrom(env);
  let keeper: StreamKeeper | undefined;
  const state: StreamState = { isConnected: false, isDeclared: false };
  const metrics = await startMetrics('streams', { HOST, METRICS_PORT }, isBeside);
  measureDependencies(metrics.meter, { nats: () => state.isConnected });
  createInstrument(metrics.meter, streamsMetrics, 'streams.declared').addCallback((result) =>
    result.observe(state.isDeclared ? 1 : 0),
  );
  const app = createApp({ log: options.log, contextOf: () => newContext() }, (routes) =>
    addHealth(routes, async () => state.isDeclared),
  );
  const http = await listen(createHttpServer(app), HOST, port);
  try {
    keeper = await keepStreams({ ...options, state });
  } catch (error) {
    await http.stop(stopMs);
    await metrics.stop();
    throw error;
  }
  return {
    port: http.port,
    ready: async () => state.isDeclared,
    async stop() {
      await http.stop(stopMs);
      await keeper?.stop();
      await metrics.stop();
    },
  };
}

/** The same once, as this process. */
export async function declareOnce(): Promise<void> {
  const log = createLogger('streams', 'info');
  guardLog(log);
  try {
    const keeper = await keepStreams(optionsFrom(process.env).options);
    await keeper.stop();
    log.info('streams and consumers are declared');
  } catch (error) {
    reportFailure('streams', { error, log, text: 'could not declare streams and consumers' });
  }
}

function optionsFrom(env: Environment) {
  const config = readConfig(streamsConfig, env);
  const log = createLogger('streams', config.LOG_LEVEL);
  log.info({ settings: summaryOf(streamsConfig, config) }, 'settings');
  return { ...config, options: { access: natsAccess(config), replicas: config.STREAM_REPLICAS, log } };
}
