import { streamsOf } from '@casewatch/contracts';
import { z } from 'zod';
import { outboxModel } from '../outbox/outbox.ts';
import { requestRebuild } from '../outbox/stream-loss.ts';
import { migrationConfig } from '../process/migrate.ts';
import { withDatabase } from '../process/open-database.ts';
import { defineCommand, operatorProgram } from '../process/operator-commands.ts';
import { ConfigError, readConfig } from '../settings/config.ts';
import { ownerOf } from '../store/database-owner.ts';
import type { Connection } from '../store/mongo.ts';

const republish = defineCommand({
  words: '',
  form: '--since 2026-11-22T10:00:00Z',
  usage: 'Give a time in the past, with its time zone: --since 2026-11-22T10:00:00Z',
  options: z.strictObject({
    since: z.iso
      .datetime({ offset: true })
      .transform((text) => new Date(text))
      .refine((since) => since <= new Date()),
  }),
  async run(connection: Connection, { since }) {
    const service = await ownerOf(connection);
    if (!service) throw new ConfigError('No service has started on the database of MONGODB_URL yet.');
    const streams = streamsOf(service).map(({ name }) => name);
    for (const name of streams) await requestRebuild(connection, { _id: name, since });
    const events = await outboxModel(connection).countDocuments({ published_at: { $gte: since } });
    const line = `The relay of ${service} publishes the events of ${streams.join(', ')} since ${since.toISOString()} again: ${events} in all.`;
    return { json: { service, streams, since, events }, lines: [line] };
  },
});

/** Requests that a service's relay publishes events again. Needs only the service's database. */
export const runRepublish = operatorProgram({
  commands: [republish],
  withContext: (env, _say, work) => withDatabase(readConfig(migrationConfig, env), work),
});
