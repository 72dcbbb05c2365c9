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
import { unstretched } from '../domain/stretch.ts';
import { followCensus } from '../scheduling/outlook.ts';
import { lanesOf } from '../sending/quota-use.ts';
import { createRecheckStore } from '../store/recheck.ts';
import { createStores } from '../store/stores.ts';

/** What a command works with: the database alone, in which it and the one that sends meet. */
export type AdminContext = Pick<Context, 'config' | 'clock' | 'db' | 'stores' | 'outlook'> & {
  readonly recheck: ReturnType<typeof createRecheckStore>;
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
    const stores = createStores(db, config.USCIS_DAILY_BUDGET, lanesOf(config));
    const pacing = { scale: config.MONITOR_INTERVAL_SCALE, stretch: unstretched, random: Math.random };
    const log = createLogger('monitor', 'silent');
    const outlook = followCensus({ stores, config, pacing, log });
    try {
      await outlook.refresh();
      return await work({
        config,
        clock: systemClock,
        db,
        stores,
        outlook,
        recheck: createRecheckStore(db),
        say,
      });
    } finally {
      await outlook.stop();
    }
  } finally {
    await db.close();
  }
}
