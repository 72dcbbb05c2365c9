import {
  connectMongo,
  createLogger,
  type Environment,
  mongoTls,
  readConfig,
  systemClock,
} from '@casewatch/platform';
import { monitorConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { parseHours } from '../domain/hours.ts';
import { createQuotaDays } from '../domain/quota-day.ts';
import { createOutlook } from '../scheduling/outlook.ts';
import { createStores } from '../store/stores.ts';

/** What a command works with: the database alone, in which it and the one that sends meet. */
export type AdminContext = Pick<Context, 'config' | 'clock' | 'db' | 'stores' | 'quotaDays' | 'outlook'> & {
  /** Shows how a command that takes long gets on. */
  say(line: string): void;
};

/** Runs the work with the service's own settings. @throws ConfigError */
export async function withAdmin<T>(
  env: Environment,
  say: (line: string) => void,
  work: (admin: AdminContext) => Promise<T>,
): Promise<T> {
  const config = readConfig(monitorConfig, env);
  const db = await connectMongo(config.MONGODB_URL, mongoTls(config));
  try {
    const stores = createStores(db);
    const hours = parseHours(config.USCIS_HOURS);
    const outlook = createOutlook({ stores, config, hours, log: createLogger('monitor', 'silent') });
    await outlook.refresh();
    const quotaDays = createQuotaDays(config.USCIS_QUOTA_RESET_TZ);
    return await work({ config, clock: systemClock, db, stores, quotaDays, outlook, say });
  } finally {
    await db.close();
  }
}
