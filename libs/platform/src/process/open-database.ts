import type { ServiceName } from '@casewatch/contracts';
import { eventFailuresModel } from '../events/event-failures.ts';
import { outboxModel } from '../outbox/outbox.ts';
import { ConfigError } from '../settings/config.ts';
import { type MongoTlsSettings, mongoTls } from '../settings/connection-settings.ts';
import { claimDatabase } from '../store/database-owner.ts';
import { type Database, prepareDatabase } from '../store/prepare-database.ts';
import { type Connection, connectMongo } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logger.ts';
import { connectOnce } from './connect-once.ts';
import { retryUntilAvailable } from './retry-until-available.ts';

type Options = {
  service: ServiceName;
  settings: MongoTlsSettings & { MONGODB_URL?: string | undefined; METRICS_PORT?: number | undefined };
  database: Database;
  log: Logger;
};

export async function openDatabase({ service, settings, database, log }: Options): Promise<Connection> {
  const url = settings.MONGODB_URL;
  if (url === undefined) throw new Error(`${service} has a database and no setting MONGODB_URL`);
  // At the start of a cluster even a refused password may be temporary.
  const connection = await retryUntilAvailable(
    () => connectMongo(url, mongoTls(settings), { monitorCommands: settings.METRICS_PORT !== undefined }),
    log,
    (error) => !(error instanceof ConfigError),
  );
  try {
    await retryUntilAvailable(() => claimDatabase(connection, service), log);
    outboxModel(connection);
    eventFailuresModel(connection);
    await retryUntilAvailable(() => prepareDatabase(connection, database), log);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
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
