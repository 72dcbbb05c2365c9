import type { ServiceName } from '@casewatch/contracts';
import { type Bus, connectBus } from '../bus/bus.ts';
import { startConsumers } from '../events/consume.ts';
import { eventFailuresModel } from '../events/event-failures.ts';
import type { EventHandlers } from '../events/handle-event.ts';
import { measureOutbox } from '../outbox/metrics.ts';
import { createOutbox, type Outbox, prepareOutbox } from '../outbox/outbox.ts';
import { startRelay, wakeRelay } from '../outbox/relay.ts';
import { mongoTls, natsTls } from '../settings/connection-settings.ts';
import type { ServiceSettings } from '../settings/service-settings.ts';
import { claimDatabase } from '../store/database-owner.ts';
import { createIds, type Ids } from '../store/ids.ts';
import { applyMigrations, type Database } from '../store/migrate.ts';
import { type Connection, connectMongo } from '../store/mongo.ts';
import { connectWhenThere, whenThere } from '../store/when-there.ts';
import { undeclared } from '../streams/streams.ts';
import { createLogger, type Logger } from '../telemetry/logger.ts';
import type { Meter } from '../telemetry/meter.ts';
import { type Clock, systemClock } from '../timing/clock.ts';
import { measureDependencies } from './measure-dependencies.ts';
import { startMetrics } from './metrics.ts';

/** Longest wait for JetStream's answers that readiness depends on, ms. */
const readyMs = 1_000;

/** What every service stands on. */
export type Foundation<S extends ServiceName> = {
  readonly service: S;
  readonly log: Logger;
  readonly meter: Meter;
  /** Where `/metrics` listens, if it does. */
  readonly metricsPort: number | undefined;
  readonly clock: Clock;
  readonly bus: Bus;
  /**
   * Whether it has what it needs to begin: its streams and consumers were declared. What is away later is answered with
   * 503 and shown by `dependency.up`: replicas that are all taken out of service could not even answer that.
   */
  ready(): Promise<boolean>;
  /** Registers what is to be stopped; the last comes first. */
  onStop(stop: () => Promise<void>): void;
  stop(): Promise<void>;
};

/** What a service that stores something stands on. */
export type Base<S extends ServiceName> = Foundation<S> & {
  readonly db: Connection;
  readonly ids: Ids;
  readonly outbox: Outbox<S>;
  /** Starts the relay, which publishes what the outbox holds. */
  startPublishing(): void;
  /** Starts consuming; called once everything that handlers work with is there. */
  consume(handlers: EventHandlers): void;
};

/** What a service stands on, with or without a database. */
export type BaseOf<S extends ServiceName, D extends Database | null> = D extends null
  ? Foundation<S>
  : Base<S>;

type Settings = { LOG_LEVEL: string } & Pick<
  ServiceSettings,
  'NATS_URL' | 'NATS_USER' | 'NATS_PASSWORD' | 'MONGODB_URL'
> &
  Parameters<typeof startMetrics>[1] &
  Parameters<typeof natsTls>[0] &
  Parameters<typeof mongoTls>[0];

/**
 * Opens what a service stands on: its log and metrics, its database as this release needs it, and the bus. They are closed in
 * the reverse order, also where one of them cannot be opened: answers that are owed on the bus still need the database.
 */
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
    const { meter, port: metricsPort, stop: stopMetrics } = await startMetrics(service, settings);
    onStop(stopMetrics);
    const db = database && (await openDatabase(service, settings, { database, log, onStop }));
    const bus = await openBus(service, settings, log);
    onStop(bus.stop);
    measureDependencies(meter, {
      ...(db && { mongodb: () => db.readyState === 1 }),
      nats: () => bus.isConnected(),
    });
    const ready = readiness(service, bus, log);
    const foundation: Foundation<S> = { service, log, meter, metricsPort, clock, bus, ready, onStop, stop };
    return (db ? addOutbox(foundation, db) : foundation) as BaseOf<S, D>;
  } catch (error) {
    await stop();
    throw error;
  }
}

type Opening = { database: Database; log: Logger; onStop: Foundation<ServiceName>['onStop'] };

async function openDatabase(
  service: ServiceName,
  settings: Settings,
  { database, log, onStop }: Opening,
): Promise<Connection> {
  const url = settings.MONGODB_URL;
  if (url === undefined) throw new Error(`${service} has a database and no setting MONGODB_URL`);
  const db = await connectWhenThere(() => connectMongo(url, mongoTls(settings)), log);
  onStop(() => db.close());
  await whenThere(() => claimDatabase(db, service), log);
  await whenThere(() => prepareOutbox(db), log);
  eventFailuresModel(db);
  await whenThere(() => applyMigrations({ connection: db, log, database }), log);
  return db;
}

function openBus(service: ServiceName, settings: Settings, log: Logger): Promise<Bus> {
  const { NATS_URL: url, NATS_USER: user, NATS_PASSWORD: password } = settings;
  return connectBus({ service, url, user, password, tls: natsTls(settings), log });
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
    consume: (handlers) => onStop(startConsumers({ ...shared, meter, handlers }).stop),
  };
}

/** Asked until it is so: what is lost later is declared again, and meanwhile the service has other work. */
function readiness(service: ServiceName, bus: Bus, log: Logger): () => Promise<boolean> {
  let isDeclared = false;
  return async () => {
    if (isDeclared) return true;
    try {
      const missing = await undeclared(service, bus, readyMs);
      if (missing.length > 0) log.warn({ missing }, 'not ready: run declare-streams');
      isDeclared = missing.length === 0;
    } catch (error) {
      log.warn({ err: error }, 'not ready: JetStream does not answer');
    }
    return isDeclared;
  };
}
