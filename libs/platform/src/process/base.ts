import type { ServiceName } from '@casewatch/contracts';
import { type Bus, connectBus } from '../bus/bus.ts';
import { natsAccess } from '../settings/connection-settings.ts';
import type { Database } from '../store/prepare-database.ts';
import { missingDeclarations } from '../streams/missing-declarations.ts';
import { createLogger, type Logger } from '../telemetry/logger.ts';
import { startTracing } from '../telemetry/tracing.ts';
import type { TracingSettings } from '../telemetry/tracing-settings.ts';
import { type Clock, systemClock } from '../timing/clock.ts';
import { createFollowedClock, type Moment, ownClock } from '../timing/followed-clock.ts';
import type { BaseOf, Foundation } from './foundation.ts';
import { measureClock, measureDependencies, startMetrics } from './metrics.ts';
import type { openStoredBase } from './stored-base.ts';

const readyMs = 1_000;

type Settings = { LOG_LEVEL: string } & TracingSettings &
  Parameters<typeof startMetrics>[1] &
  Parameters<typeof natsAccess>[0] &
  Parameters<typeof openStoredBase>[0]['settings'];

/** `clock`: the time itself, instead of the database's; then it is the machine's clock too. */
type Options = { clock?: Clock; wallClock?: Clock; log?: Logger; isBeside?: boolean };

/** Starts log, metrics, database and bus. They stop in the reverse order, because replies on the bus need the database. */
export async function createBase<S extends ServiceName, D extends Database | null>(
  service: S,
  settings: Settings,
  database: D,
  {
    clock,
    wallClock = clock ?? systemClock,
    log = createLogger(service, settings.LOG_LEVEL),
    isBeside = false,
  }: Options = {},
): Promise<BaseOf<S, D>> {
  const stops: (() => Promise<void>)[] = [];
  const onStop = (stop: () => Promise<void>) => void stops.push(stop);
  const stop = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    const {
      meter,
      port: metricsPort,
      addFile: addOperatorFile,
      stop: stopMetrics,
    } = await startMetrics(service, settings, isBeside);
    onStop(stopMetrics);
    const tracing = await startTracing(service, settings, log);
    onStop(tracing.stop);
    const up: { mongodb?: () => boolean; nats?: () => boolean } = {};
    measureDependencies(meter, {
      ...(database && { mongodb: () => up.mongodb?.() ?? false }),
      nats: () => up.nats?.() ?? false,
    });
    // Both at the same time, so that the log has the reasons of both.
    const connecting = connectBus({ service, log, meter, ...natsAccess(settings) });
    const moment = (): Moment => ({ monotonicMs: performance.now(), wallMs: wallClock.now().getTime() });
    const given = clock && ownClock(clock);
    const stored =
      database &&
      (await openStore({ service, settings, database, log, meter, moment, given }).catch(
        async (error: unknown) => {
          void connecting.then((bus) => bus.stop());
          throw error;
        },
      ));
    if (stored) onStop(stored.close);
    up.mongodb = stored?.isConnected;
    const followedClock =
      given ?? stored?.followed?.clock ?? createFollowedClock({ source: 'identity', log, moment });
    measureClock(meter, followedClock);
    const bus = await connecting;
    onStop(bus.stop);
    up.nats = bus.isConnected;
    const ready = readiness(service, bus, log);
    const foundation: Foundation<S> = {
      service,
      log,
      meter,
      metricsPort,
      addOperatorFile,
      clock: followedClock,
      followedClock,
      wallClock,
      measured: () => stored?.followed?.measured(),
      bus,
      ready,
      onStop,
      stop,
    };
    return (stored ? stored.addTo(foundation) : foundation) as BaseOf<S, D>;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Loads mongoose, which a service without a database does not need. */
async function openStore(options: Parameters<typeof openStoredBase>[0]) {
  const { openStoredBase } = await import('./stored-base.ts');
  return await openStoredBase(options);
}

function readiness(service: ServiceName, bus: Bus, log: Logger): () => Promise<boolean> {
  let isDeclared = false;
  return async () => {
    if (isDeclared) return true;
    try {
      const missing = await missingDeclarations(service, bus, readyMs);
      if (missing.length > 0) log.warn({ missing }, 'not ready: run declare-streams');
      isDeclared = missing.length === 0;
    } catch (error) {
      log.warn({ err: error }, 'not ready: JetStream does not answer');
    }
    return isDeclared;
  };
}
