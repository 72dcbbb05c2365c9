import type { ServiceName } from '@casewatch/contracts';
import { z } from 'zod';
import { baseSettings, type Environment, readConfig, storeSettings } from '../settings/config.ts';
import type { Database } from '../store/prepare-database.ts';
import { summaryOf } from '../settings/settings-of.ts';
import { createLogger } from '../telemetry/logger.ts';
import { openDatabase } from './open-database.ts';
import { guardLog, reportFailure } from './run.ts';

export const migrationConfig = z.object({
  NODE_ENV: baseSettings.NODE_ENV,
  LOG_LEVEL: baseSettings.LOG_LEVEL,
  TRANSPORT_SECURITY: baseSettings.TRANSPORT_SECURITY,
  ...storeSettings,
});

type WithDatabase = { readonly name: ServiceName; readonly database: Database };

/** Creates the missing collections and indexes of a service. A failure ends the process. As a Job before a roll-out it fails before any replica does. */
export async function migrate(
  { name: service, database }: WithDatabase,
  env: Environment = process.env,
): Promise<void> {
  const log = createLogger(service, 'info');
  guardLog(log);
  try {
    const settings = readConfig(migrationConfig, env);
    log.info({ settings: summaryOf(migrationConfig, settings) }, 'settings');
    const connection = await openDatabase({ service, settings, database, log });
    log.info('database is up to date');
    await connection.close();
  } catch (error) {
    reportFailure(service, { error, log, text: 'migration failed' });
  }
}
