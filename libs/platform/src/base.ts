import type { ServiceName } from '@casewatch/contracts';
import { type Bus, connectBus } from './bus.ts';
import { mongoTls, natsTls } from './connection-settings.ts';
import { startConsumers } from './consume.ts';
import { claimDatabase } from './database-owner.ts';
import { prepareEventFailures } from './event-failures.ts';
import type { EventHandlers } from './handle-event.ts';
import { createIds, type Ids } from './ids.ts';
import { createLogger, type Logger } from './logger.ts';
import { measureDependencies } from './measure-dependencies.ts';
import { type Meter, type Metrics, startMetrics } from './metrics.ts';
import { type Database, migrate } from './migrate.ts';
import { type Connection, connectMongo } from './mongo.ts';
import { createOutbox, type Outbox, prepareOutbox } from './outbox.ts';
import { measureOutbox } from './outbox-metrics.ts';
import { startRelay, wakeRelay } from './relay.ts';
import { undeclared } from './streams.ts';
import { connectWhenThere, whenThere } from './when-there.ts';

/** The time, as a parameter: tests and replays give their own. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** Longest wait for JetStream's answers that readiness depends on, ms. */
const readyMs = 1_000;

/** What every service that stores something stands on. */
export type Base<S extends ServiceName> = {
  readonly service: S;
  readonly log: Logger;
  readonly meter: Meter;
  /** Where `/metrics` listens, if it does. */
  readonly metricsPort: number | undefined;
  readonly clock: Clock;
  readonly db: Connection;
  readonly bus: Bus;
  readonly ids: Ids;
  readonly outbox: Outbox<S>;
  /** Runs the migrations that are missing and makes collections and indexes; any number of replicas at once. */
  migrate(database: Database): Promise<void>;
  /**
   * Whether it has what it needs to begin: its streams and consumers were declared. What is away later is answered with
   * 503 and shown by `dependency.up`: replicas that are all taken out of service could not even answer that.
   */
  ready(): Promise<boolean>;
  /** Starts publishing what the outbox holds, and consuming; called once collections and handlers are there. */
  begin(handlers: EventHandlers): void;
  /** Registers what is to be stopped; the last comes first. */
  onStop(stop: () => Promise<void>): void;
  stop(): Promise<void>;
};

type Settings = {
  HOST?: string;
  METRICS_PORT?: number | undefined;
  LOG_LEVEL: string;
  MONGODB_URL: string;
  NATS_URL: string;
  NATS_USER: string;
  NATS_PASSWORD: string;
} & Parameters<typeof natsTls>[0] &
  Parameters<typeof mongoTls>[0];

/** Connects a service to its database and the bus. */
export async function createBase<S extends ServiceName>(
  service: S,
  settings: Settings,
  clock = systemClock,
): Promise<Base<S>> {
  const log = createLogger(service, settings.LOG_LEVEL);
  const stops: (() => Promise<void>)[] = [];
  const metrics: Metrics = await startMetrics(service, settings);
  stops.push(() => metrics.stop());
  const db = await connectWhenThere(() => connectMongo(settings.MONGODB_URL, mongoTls(settings)), log);
  stops.push(() => db.close());
  const stop = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  await whenThere(() => claimDatabase(db, service), log).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const bus = await connectBus({
    service,
    url: settings.NATS_URL,
    user: settings.NATS_USER,
    password: settings.NATS_PASSWORD,
    tls: natsTls(settings),
    log,
  });
  stops.push(() => bus.stop());
  const outbox = createOutbox(service, db, clock.now, () => wakeRelay(bus, log));
  await whenThere(() => prepareOutbox(db), log);
  await whenThere(() => prepareEventFailures(db), log);
  measureDependencies(metrics.meter, {
    mongodb: () => db.readyState === 1,
    nats: () => bus.isConnected(),
  });
  const measuring = measureOutbox({ meter: metrics.meter, connection: db, clock, log });
  stops.push(() => measuring.stop());
  let isDeclared = false;
  /** Asked until it is so: what is lost later is declared again, and meanwhile the service has other work. */
  async function hasStreams(): Promise<boolean> {
    if (isDeclared) return true;
    try {
      const missing = await undeclared(service, bus, readyMs);
      if (missing.length > 0) log.warn({ missing }, 'not ready: run declare-streams');
      isDeclared = missing.length === 0;
    } catch (error) {
      log.warn({ err: error }, 'not ready: JetStream does not answer');
    }
    return isDeclared;
  }

  return {
    service,
    log,
    meter: metrics.meter,
    metricsPort: metrics.port,
    clock,
    db,
    bus,
    ids: createIds(db),
    outbox,
    migrate: (database) => whenThere(() => migrate({ connection: db, log, database }), log),
    ready: hasStreams,
    begin(handlers) {
      const shared = { service, bus, log };
      const relay = startRelay({ ...shared, connection: db });
      stops.push(() => relay.stop());
      const consumers = startConsumers({ ...shared, connection: db, meter: metrics.meter, handlers });
      stops.push(() => consumers.stop());
    },
    onStop(stop) {
      stops.push(stop);
    },
    stop,
  };
}
