import { drainHttp } from '../http/server.ts';
import { followCertificate } from '../http/tls.ts';
import { ConfigError, drainSettings, type Environment, readConfig } from '../settings/config.ts';
import { createLogger, type Logger, type ProgramName } from '../telemetry/logger.ts';
import { endSoon, guardOutput } from './guard-output.ts';
import type { Service } from './service.ts';
import { type RunningService, start } from './start.ts';

/** Longest stop after draining, ms. deploy/k8s allows at least 40 s for both. */
const stopWithinMs = 20_000;

export async function run(service: Service): Promise<void> {
  await runProgram(service.name, (env) => start(service, env));
}

export async function runProgram(
  name: ProgramName,
  start: (env: Environment) => Promise<RunningService>,
): Promise<void> {
  const log = createLogger(name, 'info');
  guardLog(log);
  try {
    const service = await start(process.env);
    log.info({ port: service.port }, 'ready');
    followCertificate(process.env, log);
    stopOnSignal(service, { drainMs: readConfig(drainSettings, process.env).DRAIN_MS, log });
  } catch (error) {
    reportFailure(name, { error, log, text: 'could not start' });
  }
}

/** The log has the warnings of Node.js, and the error that ends the process. */
export function guardLog(log: Logger): void {
  guardOutput({
    onWarning: (warning) => log.warn({ err: warning }, 'Node.js warning'),
    onFatal: (error) => log.fatal({ err: error }, 'unexpected error; the process ends'),
  });
}

type Failure = { error: unknown; log: Logger; text: string };

/** Reports why a program failed, and sets the exit code: 2 for wrong settings, otherwise 1. */
export function reportFailure(name: ProgramName, { error, log, text }: Failure): void {
  if (error instanceof ConfigError) {
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exitCode = 2;
  } else {
    log.fatal({ err: error }, text);
    process.exitCode = 1;
  }
  endSoon();
}

function stopOnSignal(service: RunningService, { drainMs, log }: { drainMs: number; log: Logger }): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    const force = setTimeout(() => {
      log.error('service did not stop in time');
      process.exit(1);
    }, drainMs + stopWithinMs);
    drainHttp(signal === 'SIGTERM' ? drainMs : 0)
      .then(() => service.stop())
      .then(() => log.info('stopped'))
      .catch((error: unknown) => {
        log.error({ err: error }, 'service did not stop cleanly');
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
