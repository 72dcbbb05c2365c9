/**
 * Has a service's relay publish again what it published since a time: `--since 2026-11-22T10:00:00Z`. Runs with the
 * service's settings, beside the service; it only notes the request in the service's database. Exit code 2 is a wrong call or
 * wrong settings, 1 a failure.
 */
import { parseArgs } from 'node:util';
import { streamsOf } from '@casewatch/contracts';
import { z } from 'zod';
import { outboxModel } from '../outbox/outbox.ts';
import { requestRebuild } from '../outbox/relay-state.ts';
import { migrationConfig } from '../process/migrate.ts';
import { ConfigError, readConfig } from '../settings/config.ts';
import { mongoTls } from '../settings/connection-settings.ts';
import { ownerOf } from '../store/database-owner.ts';
import { type Connection, connectMongo } from '../store/mongo.ts';

const form = 'Say since when, in the past and with the time zone: --since 2026-11-22T10:00:00Z';

try {
  const since = readSince(process.argv.slice(2));
  const config = readConfig(migrationConfig, process.env);
  const connection = await connectMongo(config.MONGODB_URL, mongoTls(config));
  try {
    process.stdout.write(`${await republish(connection, since)}\n`);
  } finally {
    await connection.close();
  }
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`republish: ${error.message}\n`);
  process.exitCode = error instanceof ConfigError ? 2 : 1;
}

/** @throws ConfigError where the call is not understood */
function readSince(args: string[]): Date {
  let since: string | undefined;
  try {
    ({ since } = parseArgs({ args, options: { since: { type: 'string' } } }).values);
  } catch {
    // The right form says more than what is wrong with this one.
    throw new ConfigError(form);
  }
  const time = z.iso.datetime({ offset: true }).safeParse(since);
  if (!time.success || new Date(time.data) > new Date()) throw new ConfigError(form);
  return new Date(time.data);
}

async function republish(connection: Connection, since: Date): Promise<string> {
  const service = await ownerOf(connection);
  if (!service) throw new ConfigError('No service has started on the database of MONGODB_URL yet.');
  const streams = streamsOf(service);
  for (const { name } of streams) await requestRebuild(connection, { _id: name, since });
  const events = await outboxModel(connection).countDocuments({ published_at: { $gte: since } });
  const names = streams.map(({ name }) => name).join(', ');
  return `The relay of ${service} publishes the events of ${names} again that were published since ${since.toISOString()}: ${events} in all.`;
}
