import {
  createLogger,
  type DefineCommand,
  defineCommand,
  type Environment,
  readConfig,
  systemClock,
} from '@casewatch/platform';
import { withDatabase } from '@casewatch/platform/database';
import { monitorConfig } from '../config.ts';
import { createSharedContext, type SharedContext } from '../context.ts';

/** Commands reach the running sender through the database alone. */
export const command: DefineCommand<SharedContext> = defineCommand;

/** Runs a command with the settings of the service. @throws ConfigError */
export async function withAdmin<T>(
  env: Environment,
  _say: (line: string) => void,
  work: (admin: SharedContext) => Promise<T>,
): Promise<T> {
  const config = readConfig(monitorConfig, env);
  return await withDatabase(config, async (db) => {
    const log = createLogger('monitor', 'silent');
    const admin = createSharedContext({ db, log, clock: systemClock }, config);
    await admin.planner.refresh();
    return await work(admin);
  });
}
