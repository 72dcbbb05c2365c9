import type { ServiceName } from '@casewatch/contracts';
import type { Meter } from '@opentelemetry/api';
import { type Bus, connectBus } from '../bus/bus.ts';
import { startConsumers } from '../events/consume.ts';
import type { EventHandlers } from '../events/handle-event.ts';
import { measureOutbox } from '../outbox/metrics.ts';
import { createOutbox, type Outbox } from '../outbox/outbox.ts';
import { startRelay, wakeRelay } from '../outbox/relay.ts';
import { natsAccess } from '../settings/connection-settings.ts';
import { createIds, type Ids } from '../store/ids.ts';
import type { Database } from '../store/migrate.ts';
import type { Connection } from '../store/mongo.ts';
import { missingDeclarations } from '../streams/missing-declarations.ts';
import { createLogger, type Logger } from '../telemetry/logger.ts';
import { startTracing } from '../telemetry/tracing.ts';
import type { TracingSettings } from '../telemetry/tracing-settings.ts';
import { type Clock, systemClock } from '../timing/clock.ts';
import { measureDependencies, startMetrics } from './metrics.ts';
import { openDatabase } from './open-database.ts';
import type { Metrics } from './prometheus.ts';

const readyMs = 1_000;

export type Foundation<S extends ServiceName> = {
  readonly service: S;
  readonly log: Logger;
  readonly meter: Meter;
  readonly metricsPort: number | undefined;
  readonly addOperatorFile: Metrics['addFile'];
  readonly clock: Clock;
  readonly bus: Bus;
  /** True after the first declaration: in a later outage 503 is better than no ready replica. */
  ready(): Promise<boolean>;
  /** The last registered function runs first. */
  onStop(stop: () => Promise<void>): void;
  stop(): Promise<void>;
};

export type Base<S extends ServiceName> = Foundation<S> & {
  readonly db: Connection;
  readonly ids: Ids;
  readonly outbox: Outbox<S>;
  startPublishing(): void;
  /** Starts the durable consumers; called when the handlers' dependencies are ready. */
  consume(handlers: EventHandlers, concurrency?: number): void;
};

export type BaseOf<S extends ServiceName, D extends Database | null> = D extends null
  ? Foundation<S>
  : Base<S>;

type Settings = { LOG_LEVEL: string } & TracingSettings &
  Parameters<typeof startMetrics>[1] &
  Parameters<typeof natsAccess>[0] &
  Parameters<typeof openDatabase>[0]['settings'];

/** Starts log, metrics, database and bus. They stop in the reverse order, because replies on the bus need the database. */
export async function createBase<S extends ServiceName, D extends Database | null>(
  service: S,
  settings: Settings,
  database: D,
  clock: Clock = systemClock,
): Promise<BaseOf<S, D>> {
  const stops: (() => Promise<void>)[] = [];
  const onStop = (stop: () => Promise<void>) => void stops.push(stop);
  const stop = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    const log = createLogger(service, settings.LOG_LEVEL);
    const {
      meter,
      port: metricsPort,
      addFile: addOperatorFile,
      stop: stopMetrics,
    } = await startMetrics(service, settings);
    onStop(stopMetrics);
    const tracing = await startTracing(service, settings, log);
    onStop(tracing.stop);
    const db = database && (await openDatabase({ service, settings, database, log }));
    if (db) onStop(() => db.close());
    const bus = await connectBus({ service, log, ...natsAccess(settings) });
    onStop(bus.stop);
    measureDependencies(meter, {
      ...(db && { mongodb: () => db.readyState === 1 }),
      nats: () => bus.isConnected(),
    });
    const ready = readiness(service, bus, log);
    const foundation: Foundation<S> = {
      service,
      log,
      meter,
      metricsPort,
      addOperatorFile,
      clock,
      bus,
      ready,
      onStop,
      stop,
    };
    return (db ? addOutbox(foundation, db) : foundation) as BaseOf<S, D>;
  } catch (error) {
    await stop();
    throw error;
  }
}

function addOutbox<S extends ServiceName>(foundation: Foundation<S>, db: Connection): Base<S> {
  const { service, log, bus, clock, meter, onStop } = foundation;
  const measuring = measureOutbox({ meter, connection: db, clock, log });
  onStop(measuring.stop);
  const shared = { service, connection: db, bus, log };
  return {
    ...foundation,
    db,
    ids: createIds(db),
    outbox: createOutbox(service, db, clock.now, () => wakeRelay(bus, log)),
    startPublishing: () => onStop(startRelay(shared).stop),
    consume: (handlers, concurrency) =>
      onStop(
        startConsumers({ ...shared, meter, handlers, ...(concurrency !== undefined && { concurrency }) })
          .stop,
      ),
  };
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
