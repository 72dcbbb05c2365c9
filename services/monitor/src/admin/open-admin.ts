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
import { createDayParts } from '../domain/day-parts.ts';
import { parseHours } from '../domain/hours.ts';
import { createQuotaDays } from '../domain/quota-day.ts';
import { createPlanner } from '../scheduling/planner.ts';
import { createStores } from '../store/stores.ts';

/** Commands reach the running sender through the database alone. */
export type AdminContext = Pick<
  Context,
  'config' | 'clock' | 'db' | 'stores' | 'quotaDays' | 'dayParts' | 'planner'
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
    const quotaDays = createQuotaDays(config.USCIS_QUOTA_RESET_TZ);
    const dayParts = createDayParts(quotaDays, hours);
    const planner = createPlanner({ stores, config, hours, quotaDays, now: systemClock.now, log });
    await planner.refresh();
    return await work({ config, clock: systemClock, db, stores, quotaDays, dayParts, planner });
  } finally {
    await db.close();
  }
}
