import { type ServiceName, serviceNames } from '@casewatch/contracts';
import { cases } from '@casewatch/cases/service';
import { gateway } from '@casewatch/gateway/service';
import { identity } from '@casewatch/identity/service';
import { monitor } from '@casewatch/monitor/service';
import { notifier } from '@casewatch/notifier/service';
import {
  ConfigError,
  createLogger,
  type Environment,
  keepDeclared,
  type RunningService,
  readyTogether,
  type Service,
  start,
  startTracing,
} from '@casewatch/platform';
import { webhooks } from '@casewatch/webhooks/service';
import { type PartName, partNames, readSettings } from './settings.ts';

const services: Readonly<Record<ServiceName, Service>> = {
  gateway,
  identity,
  cases,
  monitor,
  notifier,
  webhooks,
};

/**
 * Starts all services in this process, each with its own user, database and port, as in six processes. They still meet on the bus and
 * by HTTP only. `/readyz` of the gateway means all of them.
 * @throws ConfigError with the faults of all, before anything starts; otherwise the error of the first part that could not start
 */
export async function startAll(env: Environment): Promise<RunningService> {
  const { environments, ofProcess } = readSettings(env);
  const log = createLogger('all', environments.gateway.LOG_LEVEL ?? 'info');
  const tracing = await startTracing('all', ofProcess, log);
  const running = new Map<PartName, RunningService>();
  const areReady = async () => {
    if (running.size < partNames.length) return false;
    return (await Promise.all([...running.values()].map(({ ready }) => ready()))).every(Boolean);
  };
  readyTogether(areReady);
  const isFailed = { value: false };
  const startPart = async (part: PartName) => {
    const started = await startAs(part, environments[part]);
    // The process ends: what is late gives up its leases, if there is time.
    if (isFailed.value) void started.stop();
    else running.set(part, started);
  };
  try {
    await Promise.all(partNames.map(startPart));
  } catch (error) {
    isFailed.value = true;
    for (const { stop } of running.values()) void stop().catch(() => undefined);
    throw error;
  }
  const stopAll = async (parts: readonly PartName[]) => {
    const stopped = await Promise.allSettled(parts.map((part) => running.get(part)?.stop()));
    return stopped.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  };
  return {
    port: running.get('gateway')?.port ?? 0,
    ready: areReady,
    async stop() {
      // Its requests in progress still need the others, and they the streams.
      const faults = [
        ...(await stopAll(['gateway'])),
        ...(await stopAll(serviceNames.filter((name) => name !== 'gateway'))),
        ...(await stopAll(['streams'])),
      ];
      await tracing.stop();
      if (faults.length > 0) throw new AggregateError(faults, 'some services did not stop cleanly');
    },
  };
}

/** @throws an error that names the part */
async function startAs(part: PartName, env: Environment): Promise<RunningService> {
  // The gateway measures the process: seven measurements of one event loop would be seven alerts.
  const isBeside = part !== 'gateway';
  try {
    return await (part === 'streams'
      ? keepDeclared(env, { isBeside })
      : start(services[part], env, { isBeside }));
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError(`${part}: ${error.message}`, error.faults);
    throw new Error(`${part} could not start`, { cause: error });
  }
}
