import {
  type Command,
  type CommandOf,
  connectMongo,
  createLogger,
  defineCommand,
  type Environment,
  mongoTls,
  readConfig,
  systemClock,
} from '@casewatch/platform';
import type { z } from 'zod';
import { monitorConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { parseHours } from '../domain/hours.ts';
import { createQuotaDays } from '../domain/quota-day.ts';
import { createCapacityMonitor } from '../scheduling/capacity-monitor.ts';
import { createStores } from '../store/stores.ts';

/** Commands reach the running sender through the database alone. */
export type AdminContext = Pick<
  Context,
  'config' | 'clock' | 'db' | 'stores' | 'quotaDays' | 'capacityMonitor'
>;

export function command<S extends z.ZodObject>(
  definition: CommandOf<AdminContext, S>,
): Command<AdminContext> {
  return defineCommand(definition);
}

/** Runs a command with the settings of the service. @throws ConfigError */
export async function withAdmin<T>(
  env: Environment,
  _say: (line: string) => void,
  work: (admin: AdminContext) => Promise<T>,
): Promise<T> {
  const config = readConfig(monitorConfig, env);
  const db = await connectMongo(config.MONGODB_URL, mongoTls(config));
  try {
    const stores = createStores(db);
    const hours = parseHours(config.USCIS_HOURS);
    const log = createLogger('monitor', 'silent');
    const capacityMonitor = createCapacityMonitor({ stores, config, hours, log });
    await capacityMonitor.refresh();
    const quotaDays = createQuotaDays(config.USCIS_QUOTA_RESET_TZ);
    return await work({ config, clock: systemClock, db, stores, quotaDays, capacityMonitor });
  } finally {
    await db.close();
  }
}
