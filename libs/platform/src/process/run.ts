import type { ServiceName } from '@casewatch/contracts';
import type { z } from 'zod';
import { followCertificate } from '../http/follow-certificate.ts';
import { drainHttp } from '../http/server.ts';
import { ConfigError, drainSettings, type Environment, readConfig } from '../settings/config.ts';
import type { Database } from '../store/migrate.ts';
import { createLogger } from '../telemetry/logger.ts';
import type { Service, WithIdempotency } from './service.ts';
import { type RunningService, start } from './start.ts';

/** Longest shutdown after draining, ms; deploy/k8s gives 40 s and more for all of it. */
const stopWithinMs = 20_000;

/** The whole of a service's main. */
export async function run<
  S extends ServiceName,
  Z extends z.ZodObject,
  D extends Database | null,
  X extends WithIdempotency,
  O,
>(service: Service<S, Z, D, X, O>): Promise<void> {
  await runProgram(service.name, (env) => start(service, env));
}

/**
 * Starts a program that runs until it is stopped, and stops it on SIGTERM or SIGINT. The process ends by itself when nothing
 * is left to do; exit code 2 is wrong settings, 1 a failed start.
 */
export async function runProgram(
  name: ServiceName | 'streams',
  start: (env: Environment) => Promise<RunningService>,
): Promise<void> {
  const log = createLogger(name, 'info');
  try {
    const service = await start(process.env);
    log.info({ port: service.port }, 'ready');
    followCertificate(process.env, log);
    stopOnSignal(service, { drainMs: readConfig(drainSettings, process.env).DRAIN_MS, log });
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`${name}: ${error.message}\n`);
      process.exitCode = 2;
    } else {
      log.fatal({ err: error }, 'could not start');
      process.exitCode = 1;
    }
    setTimeout(() => process.exit(), 1_000).unref();
  }
}

type Stopping = { drainMs: number; log: ReturnType<typeof createLogger> };

function stopOnSignal(service: RunningService, { drainMs, log }: Stopping): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    const force = setTimeout(() => {
      log.error('did not stop in time');
      process.exit(1);
    }, drainMs + stopWithinMs);
    drainHttp(signal === 'SIGTERM' ? drainMs : 0)
      .then(() => service.stop())
      .then(() => log.info('stopped'))
      .catch((error: unknown) => {
        log.error({ err: error }, 'did not stop cleanly');
        process.exitCode = 1;
      })
      .finally(() => {
        clearTimeout(force);
        process.removeAllListeners('SIGTERM');
        process.removeAllListeners('SIGINT');
      });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
