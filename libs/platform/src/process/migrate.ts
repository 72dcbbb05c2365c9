import type { ServiceName } from '@casewatch/contracts';
import { z } from 'zod';
import { prepareOutbox } from '../outbox/outbox.ts';
import { baseSettings, ConfigError, readConfig, storeSettings } from '../settings/config.ts';
import { mongoTls } from '../settings/connection-settings.ts';
import { claimDatabase } from '../store/database-owner.ts';
import { applyMigrations, type Database } from '../store/migrate.ts';
import { connectMongo } from '../store/mongo.ts';
import { connectWhenThere, whenThere } from '../store/when-there.ts';
import { createLogger } from '../telemetry/logger.ts';

/** Settings of a program that needs a service's database alone. */
export const migrationConfig = z.object({
  NODE_ENV: baseSettings.NODE_ENV,
  LOG_LEVEL: baseSettings.LOG_LEVEL,
  TRANSPORT_SECURITY: baseSettings.TRANSPORT_SECURITY,
  ...storeSettings,
});

type Stored = { readonly name: ServiceName; readonly database: Database };

/**
 * The whole of a service's migrate.ts: brings its database to what this release needs, and ends. The service does the
 * same at its start; as a step of its own (a Job before a roll-out) it fails before any replica does. Exit code 2 is wrong
 * settings, 1 a failed migration.
 */
export async function migrate({ name: service, database }: Stored): Promise<void> {
  const log = createLogger(service, 'info');
  try {
    const config = readConfig(migrationConfig, process.env);
    const connect = () => connectMongo(config.MONGODB_URL, mongoTls(config));
    const connection = await connectWhenThere(connect, log);
    try {
      await whenThere(() => claimDatabase(connection, service), log);
      await whenThere(() => prepareOutbox(connection), log);
      await whenThere(() => applyMigrations({ connection, log, database }), log);
      log.info('database is up to date');
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`${service}: ${error.message}\n`);
      process.exitCode = 2;
    } else {
      log.fatal({ err: error }, 'migration failed');
      process.exitCode = 1;
    }
  }
}
