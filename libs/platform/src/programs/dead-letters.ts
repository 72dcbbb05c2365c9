/** The program of `npm run admin -- deadletters`, as the NATS user `streams`. In a cluster it runs in the pod of `streams`. */
import { z } from 'zod';
import { connectNats } from '../bus/nats-connection.ts';
import { openDeadLetterBox } from '../events/dead-letter-box.ts';
import { connectOnce } from '../process/connect-once.ts';
import { operatorProgram, runCommands } from '../process/operator-commands.ts';
import { baseSettings, readConfig } from '../settings/config.ts';
import { natsAccess } from '../settings/connection-settings.ts';
import { deadLetterCommands } from './dead-letter-commands.ts';

const { PORT: _, METRICS_PORT: __, ...settings } = baseSettings;

const runDeadLetters = operatorProgram({
  name: 'deadletters',
  commands: deadLetterCommands,
  async withContext(env, _say, work) {
    const access = natsAccess(readConfig(z.object(settings), env));
    const connection = await connectOnce('NATS', connectNats('streams', access, { waits: false }));
    try {
      return await work(await openDeadLetterBox(connection));
    } finally {
      await connection.close();
    }
  },
});

await runCommands(runDeadLetters);
