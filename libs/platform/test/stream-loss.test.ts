import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createBase, createLogger, keepStreams, natsAuthorization } from '@casewatch/platform';
import { outboxModel } from '@casewatch/platform/database';
import {
  emptyDatabase,
  freePort,
  resolveBinary,
  startMongo,
  startNatsServer,
  tempFolder,
  waitFor,
} from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { lossOf } from '../src/outbox/stream-loss.ts';
import { deleteUser } from './support/delete-user.ts';
import { noHandlers } from './support/no-handlers.ts';

const now = new Date('2026-11-22T12:00:00.000Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const known = {
  created: 'first',
  seq: 100,
  checkpoints: [
    { seq: 10, at: daysAgo(7.5) },
    { seq: 60, at: daysAgo(3) },
    { seq: 95, at: daysAgo(0.01) },
  ],
};
/** A stream of 7 days, as it is where nothing is wrong. */
const stream = (first_seq: number, last_seq: number, created = 'first') =>
  ({ created, config: { max_age: 7 * 86_400e9 }, state: { first_seq, last_seq } }) as never;

describe('a loss of a stream', () => {
  it.each([
    ['nothing is lost', stream(1, 100), null],
    ['another replica has published since', stream(1, 104), null],
    ['messages of 7 days ago expired', stream(61, 100), null],
    ['the stream was created since', stream(1, 100, 'second'), { reason: 'recreated', since: new Date(0) }],
    ['its end is missing', stream(1, 97), { reason: 'truncated', since: daysAgo(0.01) }],
    ['its end is missing from before an hour', stream(1, 70), { reason: 'truncated', since: daysAgo(3) }],
    ['it was purged', stream(101, 100), { reason: 'purged', since: new Date(0) }],
    ['it was purged but for the last', stream(100, 100), { reason: 'purged', since: new Date(0) }],
  ])('is told from what is none: %s', (_what, info, loss) => {
    expect(lossOf(known, info, now)).toEqual(loss);
  });

  it('is none where all messages have expired', () => {
    const old = { created: 'first', seq: 100, checkpoints: [{ seq: 90, at: daysAgo(7.1) }] };
    expect(lossOf(old, stream(101, 100), now)).toBeNull();
  });

  it('is made good where nats-server comes back without its last events', async () => {
    const [{ path: binary }, folder, port, mongo] = await Promise.all([
      resolveBinary('nats-server'),
      tempFolder(),
      freePort(),
      startMongo(),
    ]);
    const passwords = { identity: 'i', streams: 's', operator: 'o' };
    const dataDir = join(folder.path, 'data');
    const files = { dataDir, logFile: join(folder.path, 'nats.log') };
    const start = () =>
      startNatsServer({ binary, port, authorization: natsAuthorization(passwords), ...files });
    let server = await start();
    const log = createLogger('streams', 'silent');
    const access = { url: server.url, user: 'streams', password: 's' };
    await (await keepStreams({ access, replicas: 1, log })).stop();
    const identity = await createBase(
      'identity',
      {
        ...{ LOG_LEVEL: 'silent', METRICS_PORT: 0, MONGODB_URL: mongo.url('base_identity') },
        ...{ NATS_URL: server.url, NATS_USER: 'identity', NATS_PASSWORD: 'i' },
      },
      emptyDatabase,
    );
    identity.startPublishing();
    identity.consume(noHandlers('identity'));
    const operator = await connect({
      servers: server.url,
      user: 'operator',
      pass: 'o',
      maxReconnectAttempts: -1,
    });
    const manager = await jetstreamManager(operator);
    const add = (id: number) => deleteUser(identity, id);
    const published = () =>
      waitFor(async () => (await outboxModel(identity.db).countDocuments({ published_at: null })) === 0, {
        what: 'an empty outbox',
        timeoutMs: 20_000,
      });
    /** The users whose events the stream has. */
    const users = async () => {
      const { state } = await manager.streams.info('IDENTITY');
      const found = new Set<string>();
      for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
        const message = await manager.streams.getMessage('IDENTITY', { seq });
        if (message) found.add((message.json() as { subject: string }).subject);
      }
      return [...found].toSorted();
    };
    const restart = async (change: () => Promise<void>) => {
      await server.stop();
      await change();
      server = await start();
    };
    try {
      await add(1);
      await published();
      await restart(() => cp(dataDir, join(folder.path, 'copy'), { recursive: true }));
      await add(2);
      await published();
      await restart(async () => {
        await rm(dataDir, { recursive: true });
        await cp(join(folder.path, 'copy'), dataDir, { recursive: true });
      });
      // Takes the sequence of the event that is lost, where the relay did not look before.
      await add(3);
      await waitFor(async () => (await users().catch(() => [])).length === 3, {
        what: 'all three events',
        timeoutMs: 30_000,
      });
      expect(await users()).toEqual(['user/1', 'user/2', 'user/3']);
    } finally {
      await operator.close();
      await identity.stop();
      await server.stop();
      await Promise.all([mongo.stop(), folder.remove()]);
    }
  });
});
