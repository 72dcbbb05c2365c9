/**
 * Declares the streams and consumers of the registries as the NATS user `streams`, and ends: a step before the services
 * start. With --keep it stays, declares again what is lost, and tells at /readyz whether everything is there.
 */
import { createServer } from 'node:http';
import { z } from 'zod';
import { createApp } from '../http/context.ts';
import { addHealth, listen } from '../http/server.ts';
import { runProgram } from '../process/run.ts';
import type { RunningService } from '../process/start.ts';
import {
  baseSettings,
  ConfigError,
  type Environment,
  integerSetting,
  readConfig,
} from '../settings/config.ts';
import { natsTls } from '../settings/connection-settings.ts';
import { keepStreams, type StreamKeeper } from '../streams/keep-streams.ts';
import { createLogger, newContext } from '../telemetry/logger.ts';

const { PORT, METRICS_PORT: _, ...settings } = baseSettings;
const streamsConfig = z.object({
  ...settings,
  PORT: PORT.default(8080),
  STREAM_REPLICAS: integerSetting(1, 5)
    .default(1)
    .describe('Copies of each stream: 1 on one machine, 3 in a cluster'),
});

const stopMs = 1_000;

if (process.argv.includes('--keep')) await runProgram('streams', keep);
else await once();

async function keep(env: Environment): Promise<RunningService> {
  const { HOST, PORT: port, options } = optionsFrom(env);
  let keeper: StreamKeeper | undefined;
  const app = createApp(options.log, () => newContext());
  addHealth(app, async () => keeper?.isDeclared() ?? false);
  const http = await listen(createServer(app), HOST, port);
  try {
    keeper = await keepStreams(options);
  } catch (error) {
    await http.stop(stopMs);
    throw error;
  }
  return {
    port: http.port,
    async stop() {
      await http.stop(stopMs);
      await keeper?.stop();
    },
  };
}

async function once(): Promise<void> {
  const log = createLogger('streams', 'info');
  try {
    const keeper = await keepStreams(optionsFrom(process.env).options);
    await keeper.stop();
    log.info('streams and consumers are declared');
  } catch (error) {
    if (error instanceof ConfigError) process.stderr.write(`streams: ${error.message}\n`);
    else log.fatal({ err: error }, 'could not declare streams and consumers');
    process.exitCode = error instanceof ConfigError ? 2 : 1;
  }
}

function optionsFrom(env: Environment) {
  const config = readConfig(streamsConfig, env);
  const { NATS_URL: url, NATS_USER: user, NATS_PASSWORD: password, STREAM_REPLICAS: replicas } = config;
  const access = { url, user, password, tls: natsTls(config) };
  return { ...config, options: { access, replicas, log: createLogger('streams', config.LOG_LEVEL) } };
}
