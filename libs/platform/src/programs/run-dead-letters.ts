import { openDeadLetterBox } from '../events/dead-letters.ts';
import { migrationConfig } from '../process/migrate.ts';
import { withDatabase } from '../process/open-database.ts';
import { operatorProgram } from '../process/operator-commands.ts';
import { ConfigError, readConfig } from '../settings/config.ts';
import { ownerOf } from '../store/database-owner.ts';
import { deadLetterCommands } from './dead-letter-commands.ts';

/** The commands on the dead letters of one service. Needs only the service's database. */
export const runDeadLetters = operatorProgram({
  name: 'deadletters',
  commands: deadLetterCommands,
  withContext: (env, _say, work) =>
    withDatabase(readConfig(migrationConfig, env), async (connection) => {
      const service = await ownerOf(connection);
      if (!service) throw new ConfigError('No service has started on the database of MONGODB_URL yet.');
      return await work(openDeadLetterBox(connection, service));
    }),
});
