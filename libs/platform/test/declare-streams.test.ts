import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createLogger, keepStreams } from '@casewatch/platform';
import { startNats, waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type JetStreamManager, jetstreamManager, StorageType } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { startBases, type TestBases } from './support/start-bases.ts';

const program = join(import.meta.dirname, '../src/programs/declare-streams.ts');
const handlers = { 'contact.opted_out': async () => {} };

describe('declaring streams and consumers', () => {
  let bases: TestBases;
  let operator: NatsConnection;
  let manager: JetStreamManager;
  beforeEach(async () => {
    bases = await startBases(startNats({ declares: false }));
    operator = await connect({ servers: bases.nats.url, ...bases.nats.operator });
    manager = await jetstreamManager(operator);
  });
  afterEach(async () => {
    await operator.close();
    await bases.stop();
  });

  /** Runs the program as a deployment does, and gives the lines of its log. */
  async function declare(...args: string[]): Promise<string[]> {
    const env = { ...process.env, ...bases.nats.user('streams'), NODE_OPTIONS: '' };
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env });
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg);
  }

  it('makes a service ready, and the second time changes nothing', async () => {
    const identity = await bases.base('identity');
    identity.startPublishing();
    identity.consume(handlers);
    expect(await identity.ready()).toBe(false);
    const lines = await declare();
    expect(lines).toContain('consumer created');
    expect(await identity.ready()).toBe(true);
    expect(await declare()).toEqual(['streams and consumers are declared']);
  });

  it('brings back what was changed, so that nothing is copied and every subscribed type arrives', async () => {
    await declare();
    const copies = { sources: [{ name: 'IDENTITY' }], republish: { src: '>', dest: 'copy.>' } };
    await manager.streams.update('DEAD_WEBHOOKS', {
      ...copies,
      subjects: ['dead.webhooks', 'notifier.send'],
      duplicate_window: 1e9,
    });
    await manager.consumers.update('IDENTITY', 'cases-identity', {
      filter_subjects: ['user.created', 'user.updated'],
      ack_wait: 99e9,
    });
    const cases = await bases.base('cases');
    expect(await cases.ready()).toBe(false);

    expect((await declare()).toSorted()).toEqual([
      'consumer updated',
      'stream updated',
      'streams and consumers are declared',
    ]);
    const { config: stream } = await manager.streams.info('DEAD_WEBHOOKS');
    expect(stream).toMatchObject({ subjects: ['dead.webhooks', 'replay.webhooks'], duplicate_window: 600e9 });
    expect(stream).not.toHaveProperty('republish');
    expect(stream.sources ?? []).toEqual([]);
    const { config: consumer } = await manager.consumers.info('IDENTITY', 'cases-identity');
    expect(consumer.ack_wait).toBe(10e9);
    expect(consumer.filter_subjects).toContain('user.deleted');
    expect(await cases.ready()).toBe(true);
  });

  it('brings back a stream and a consumer that are lost while the keeper runs', async () => {
    const { NATS_URL: url, NATS_USER: user, NATS_PASSWORD: password } = bases.nats.user('streams');
    const log = createLogger('identity', 'silent');
    const keeper = await keepStreams({ access: { url, user, password }, replicas: 1, log });
    await manager.streams.delete('DEAD_CASES');
    await manager.consumers.delete('IDENTITY', 'cases-identity');
    const isBack = () =>
      Promise.all([
        manager.streams.info('DEAD_CASES'),
        manager.consumers.info('DEAD_CASES', 'cases-replay'),
        manager.consumers.info('IDENTITY', 'cases-identity'),
      ]).catch(() => null);
    await waitFor(isBack, { what: 'the stream and the consumer', timeoutMs: 30_000 });
    await keeper.stop();
  }, 45_000);

  it('says which stream the server does not let it change', async () => {
    await manager.streams.add({ name: 'CASES', subjects: ['case.*'], storage: StorageType.Memory });
    const { NATS_URL: url, NATS_USER: user, NATS_PASSWORD: password } = bases.nats.user('streams');
    const log = createLogger('streams', 'silent');
    const options = { access: { url, user, password }, replicas: 1, log };
    await expect(keepStreams(options, AbortSignal.timeout(1_000))).rejects.toThrow(
      'CASES could not be declared',
    );
  });
});
