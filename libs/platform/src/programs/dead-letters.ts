/** The program of `npm run admin -- deadletters`, on the database of one service. In a cluster it runs in a pod of that service. */
import { openDeadLetterBox } from '../events/dead-letters.ts';
import { migrationConfig } from '../process/migrate.ts';
import { withDatabase } from '../process/open-database.ts';
import { operatorProgram, runCommands } from '../process/operator-commands.ts';
import { ConfigError, readConfig } from '../settings/config.ts';
import { ownerOf } from '../store/database-owner.ts';
import { deadLetterCommands } from './dead-letter-commands.ts';

const runDeadLetters = operatorProgram({
  name: 'deadletters',
  commands: deadLetterCommands,
  withContext: (env, _say, work) =>
    withDatabase(readConfig(migrationConfig, env), async (connection) => {
      const service = await ownerOf(connection);
      if (!service) throw new ConfigError('No service has started on the database of MONGODB_URL yet.');
      return await work(openDeadLetterBox(connection, service));
    }),
});

await runCommands(runDeadLetters);
