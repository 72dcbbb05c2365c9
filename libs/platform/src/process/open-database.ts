import type { ServiceName } from '@casewatch/contracts';
import { failedEventsModel } from '../events/failed-events.ts';
import { outboxModel } from '../outbox/outbox.ts';
import { ConfigError } from '../settings/config.ts';
import { type MongoTlsSettings, mongoTls } from '../settings/connection-settings.ts';
import { claimDatabase } from '../store/database-owner.ts';
import { erasedUsers } from '../store/erased-users.ts';
import { type Connection, connectMongo, type Pool } from '../store/mongo.ts';
import { type Database, prepareDatabase } from '../store/prepare-database.ts';
import type { Logger } from '../telemetry/logger.ts';
import { connectOnce } from './connect-once.ts';
import { retryUntilAvailable } from './retry-until-available.ts';

/**
 * The pools of a service. Requests, leases and background work do not wait for each other's connections: a backlog of events
 * needs all that it gets.
 */
export type Pools = {
  /** HTTP requests, and questions of other services. */
  readonly requests: Connection;
  /** Events, loops and the relay. Nobody waits for an answer, so they wait longer for a connection. */
  readonly background: Connection;
  /** Leases and nothing else: a lease that is renewed too late stops its work in this process. */
  readonly leases: Connection;
};

const sizes: Record<keyof Pools, Omit<Pool, 'name'>> = {
  requests: { size: 20, waitMs: 1_000 },
  background: { size: 20, waitMs: 10_000 },
  leases: { size: 2, waitMs: 1_000 },
};

type Options = {
  service: ServiceName;
  settings: MongoTlsSettings & { MONGODB_URL?: string | undefined; METRICS_PORT?: number | undefined };
  database: Database;
  log: Logger;
};

/** Opens the pools of a service, when its collections and indexes are there. */
export async function openPools(options: Options): Promise<Pools> {
  const requests = await openDatabase(options);
  const others = await Promise.allSettled([openPool('background', options), openPool('leases', options)]);
  const [background, leases] = others;
  if (background.status === 'fulfilled' && leases.status === 'fulfilled')
    return { requests, background: background.value, leases: leases.value };
  const opened = others.flatMap((other) => (other.status === 'fulfilled' ? [other.value] : []));
  await Promise.all([requests, ...opened].map((connection) => connection.close()));
  throw others.find((other) => other.status === 'rejected')?.reason;
}

/** Waits for MongoDB, takes the database for the service, and makes sure of its collections and indexes. */
export async function openDatabase(options: Options): Promise<Connection> {
  const { service, database, log } = options;
  const connection = await openPool('requests', options);
  try {
    await retryUntilAvailable(() => claimDatabase(connection, service), log);
    outboxModel(connection);
    failedEventsModel(connection);
    erasedUsers(connection);
    await retryUntilAvailable(() => prepareDatabase(connection, database), log);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function openPool(use: keyof Pools, { service, settings, log }: Options): Promise<Connection> {
  const url = settings.MONGODB_URL;
  if (url === undefined) throw new Error(`${service} has a database and no setting MONGODB_URL`);
  const monitorCommands = settings.METRICS_PORT !== undefined;
  const pool = { ...sizes[use], name: `casewatch ${service} ${use}` };
  // At the start of a cluster even a refused password may be temporary.
  return await retryUntilAvailable(
    () => connectMongo(url, mongoTls(settings), { monitorCommands, pool }),
    log,
    (error) => !(error instanceof ConfigError),
  );
}

/** The database of a service for the time of a program's work. */
export async function withDatabase<T>(
  settings: MongoTlsSettings & { MONGODB_URL: string },
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connectOnce('MongoDB', connectMongo(settings.MONGODB_URL, mongoTls(settings)));
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
