/**
 * Has a service's relay publish again what it published since a time: `--since 2026-11-22T10:00:00Z`. Runs with the
 * service's settings, beside the service; it only notes the request in the service's database. Exit code 2 is a wrong call or
 * wrong settings, 1 a failure.
 */
import { streamsOf } from '@casewatch/contracts';
import { z } from 'zod';
import { outboxModel } from '../outbox/outbox.ts';
import { requestRebuild } from '../outbox/relay-state.ts';
import { migrationConfig } from '../process/migrate.ts';
import { defineCommand, operatorProgram, standardOutput } from '../process/operator-commands.ts';
import { ConfigError, readConfig } from '../settings/config.ts';
import { mongoTls } from '../settings/connection-settings.ts';
import { ownerOf } from '../store/database-owner.ts';
import { type Connection, connectMongo } from '../store/mongo.ts';

const republish = defineCommand({
  words: '',
  form: '--since 2026-11-22T10:00:00Z',
  usage: 'Say since when, in the past and with the time zone: --since 2026-11-22T10:00:00Z',
  options: z.strictObject({
    since: z.iso
      .datetime({ offset: true })
      .transform((text) => new Date(text))
      .refine((since) => since <= new Date()),
  }),
  async run(connection: Connection, { since }) {
    const service = await ownerOf(connection);
    if (!service) throw new ConfigError('No service has started on the database of MONGODB_URL yet.');
    const names = streamsOf(service).map(({ name }) => name);
    for (const name of names) await requestRebuild(connection, { _id: name, since });
    const events = await outboxModel(connection).countDocuments({ published_at: { $gte: since } });
    return {
      json: { service, streams: names, since, events },
      lines: [
        `The relay of ${service} publishes the events of ${names.join(', ')} again that were published since ${since.toISOString()}: ${events} in all.`,
      ],
    };
  },
});

const runRepublish = operatorProgram({
  commands: [republish],
  async withContext(env, _say, work) {
    const config = readConfig(migrationConfig, env);
    const connection = await connectMongo(config.MONGODB_URL, mongoTls(config));
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  },
});

process.exitCode = await runRepublish(process.argv.slice(2), process.env, {
  ...standardOutput,
  err: (line) => standardOutput.err(`republish: ${line}`),
});
