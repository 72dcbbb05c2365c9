/**
 * npm run admin -- deadletters list|show|replay|discard: the operator's command for events that a service could not
 * handle, as the NATS user `streams`. In a cluster: kubectl exec deploy/streams -- node libs/platform/src/dead-letters-main.ts
 */
import { z } from 'zod';
import { baseSettings, ConfigError, readConfig } from './config.ts';
import { natsTls } from './connection-settings.ts';
import { openDeadLetterBox } from './dead-letter-box.ts';
import { runDeadLetterCommand, UsageError } from './dead-letter-commands.ts';
import { connectNats } from './nats-connection.ts';

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
