/**
 * npm run admin -- deadletters list|show|replay|discard: the operator's command for events that a service could not
 * handle, as the NATS user `streams`. In a cluster: kubectl exec deploy/streams -- node libs/platform/src/programs/dead-letters.ts
 */
import { z } from 'zod';
import { connectNats } from '../bus/nats-connection.ts';
import { openDeadLetterBox } from '../events/dead-letter-box.ts';
import { runDeadLetterCommand, UsageError } from '../events/dead-letter-commands.ts';
import { baseSettings, ConfigError, readConfig } from '../settings/config.ts';
import { natsTls } from '../settings/connection-settings.ts';

const { PORT: _, METRICS_PORT: __, ...settings } = baseSettings;
const words = process.argv.slice(2);

try {
  const config = readConfig(z.object(settings), process.env);
  const { NATS_URL: url, NATS_USER: user, NATS_PASSWORD: password } = config;
  const connection = await connectNats(
    'streams',
    { url, user, password, tls: natsTls(config) },
    { waits: false },
  );
  try {
    const lines = await runDeadLetterCommand(await openDeadLetterBox(connection), words);
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  } finally {
    await connection.close();
  }
} catch (error) {
  const isUsage = error instanceof UsageError || error instanceof ConfigError;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
