import {
  createLogger,
  type DefineCommand,
  defineCommand,
  type Environment,
  readConfig,
  systemClock,
  withDatabase,
} from '@casewatch/platform';
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

export const command: DefineCommand<AdminContext> = defineCommand;

/** Runs a command with the settings of the service. @throws ConfigError */
export async function withAdmin<T>(
  env: Environment,
  _say: (line: string) => void,
  work: (admin: AdminContext) => Promise<T>,
): Promise<T> {
  const config = readConfig(monitorConfig, env);
  return await withDatabase(config, async (db) => {
    const stores = createStores(db);
    const hours = parseHours(config.USCIS_HOURS);
    const log = createLogger('monitor', 'silent');
    const quotaDays = createQuotaDays(config.USCIS_QUOTA_RESET_TZ);
    const dayParts = createDayParts(quotaDays, hours);
    const planner = createPlanner({ stores, config, hours, quotaDays, now: systemClock.now, log });
    await planner.refresh();
    return await work({ config, clock: systemClock, db, stores, quotaDays, dayParts, planner });
  });
}
