/**
 * npm run admin -- deadletters list|show|replay|discard: the operator's command for events that a service could not
 * handle, as the NATS user `streams`. In a cluster: kubectl exec deploy/streams -- node libs/platform/src/programs/dead-letters.ts
 */
import { z } from 'zod';
import { connectNats } from '../bus/nats-connection.ts';
import { openDeadLetterBox } from '../events/dead-letter-box.ts';
import { operatorProgram } from '../process/operator-commands.ts';
import { baseSettings, readConfig } from '../settings/config.ts';
import { natsTls } from '../settings/connection-settings.ts';
import { deadLetterCommands } from './dead-letter-commands.ts';

const { PORT: _, METRICS_PORT: __, ...settings } = baseSettings;

const runDeadLetters = operatorProgram({
  name: 'deadletters',
  commands: deadLetterCommands,
  async withContext(env, _say, work) {
    const config = readConfig(z.object(settings), env);
    const { NATS_URL: url, NATS_USER: user, NATS_PASSWORD: password } = config;
    const access = { url, user, password, tls: natsTls(config) };
    const connection = await connectNats('streams', access, { waits: false });
    try {
      return await work(await openDeadLetterBox(connection));
    } finally {
      await connection.close();
    }
  },
});

process.exitCode = await runDeadLetters(process.argv.slice(2), process.env);
