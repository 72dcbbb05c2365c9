import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createLogger, keepStreams } from '@casewatch/platform';
import { freePort, spawnProgram, startNats, waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { jetstreamManager, StorageType } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { startBases } from './support/start-bases.ts';
import { noHandlers } from './support/no-handlers.ts';

const program = join(import.meta.dirname, '../src/programs/declare-streams.ts');
const handlers = noHandlers('identity');

/** Each test has servers of its own, so that their waits overlap. */
async function start(own: AsyncDisposableStack) {
  const bases = own.use(await startBases(startNats({ declares: false })));
  const asOperator = { servers: bases.nats.url, ...bases.nats.operator };
  const operator = own.adopt(await connect(asOperator), (connection) => connection.close());

  /** Runs the program as a deployment does, and gives the lines of its log. */
  async function declare(...args: string[]): Promise<string[]> {
    const env = { ...process.env, ...bases.nats.user('streams'), NODE_OPTIONS: '' };
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env });
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg);
  }
  return { bases, manager: await jetstreamManager(operator), declare };
}

describe('declaring streams and consumers', () => {
  it('makes a service ready, and the second time changes nothing', async () => {
    await using own = new AsyncDisposableStack();
    const { bases, declare } = await start(own);
    const identity = await bases.base('identity');
    identity.startPublishing();
    identity.consume(handlers);
    expect(await identity.ready()).toBe(false);
    const lines = await declare();
    expect(lines).toContain('consumer created');
    expect(await identity.ready()).toBe(true);
    expect(await declare()).toEqual(['settings', 'streams and consumers are declared']);
  });

  it('brings back what was changed, so that nothing is copied and every subscribed type arrives', async () => {
    await using own = new AsyncDisposableStack();
    const { bases, manager, declare } = await start(own);
    await declare();
    const copies = { sources: [{ name: 'IDENTITY' }], republish: { src: '>', dest: 'copy.>' } };
    await manager.streams.update('WEBHOOKS', {
      ...copies,
      subjects: ['webhook.disabled', 'notifier.send'],
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
      'settings',
      'stream updated',
      'streams and consumers are declared',
    ]);
    const { config: stream } = await manager.streams.info('WEBHOOKS');
    expect(stream).toMatchObject({
      subjects: ['webhooks.audited', 'webhook.disabled'],
      duplicate_window: 600e9,
    });
    expect(stream).not.toHaveProperty('republish');
    expect(stream.sources ?? []).toEqual([]);
    const { config: consumer } = await manager.consumers.info('IDENTITY', 'cases-identity');
    expect(consumer.ack_wait).toBe(10e9);
    expect(consumer.filter_subjects).toContain('user.deleted');
    expect(await cases.ready()).toBe(true);
  });

  it('brings back a stream and a consumer that are lost while the keeper runs', async () => {
    await using own = new AsyncDisposableStack();
    const { bases, manager } = await start(own);
    const { NATS_URL: url, NATS_USER: user, NATS_PASSWORD: password } = bases.nats.user('streams');
    const log = createLogger('identity', 'silent');
    const keeper = await keepStreams({ access: { url, user, password }, replicas: 1, log });
    await manager.streams.delete('NOTIFICATIONS');
    await manager.consumers.delete('IDENTITY', 'cases-identity');
    const isBack = () =>
      Promise.all([
        manager.streams.info('NOTIFICATIONS'),
        manager.consumers.info('NOTIFICATIONS', 'cases-notifications'),
        manager.consumers.info('IDENTITY', 'cases-identity'),
      ]).catch(() => null);
    await waitFor(isBack, { what: 'the stream and the consumer', timeoutMs: 30_000 });
    await keeper.stop();
  });

  it('says which stream the server does not let it change', async () => {
    await using own = new AsyncDisposableStack();
    const { bases, manager } = await start(own);
    await manager.streams.add({ name: 'CASES', subjects: ['case.*'], storage: StorageType.Memory });
    const { NATS_URL: url, NATS_USER: user, NATS_PASSWORD: password } = bases.nats.user('streams');
    const log = createLogger('streams', 'silent');
    const options = { access: { url, user, password }, replicas: 1, log };
    await expect(keepStreams(options, AbortSignal.timeout(1_000))).rejects.toThrow(
      'CASES could not be declared',
    );
  });

  it('shows an operator whether it has declared them, and whether NATS is there', async () => {
    await using own = new AsyncDisposableStack();
    const { bases, manager } = await start(own);
    await manager.streams.add({ name: 'CASES', subjects: ['case.*'], storage: StorageType.Memory });
    const [port, metricsPort] = [await freePort(), await freePort()];
    const settings = { HOST: '127.0.0.1', PORT: String(port), METRICS_PORT: String(metricsPort) };
    const env = { ...process.env, ...bases.nats.user('streams'), NODE_OPTIONS: '', ...settings };
    const keeper = spawnProgram(program, { args: ['--keep'], env });
    own.defer(() => keeper.end('SIGTERM'));
    const shows = async (declared: number) => {
      const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).catch(() => null);
      const text = (await response?.text()) ?? '';
      return (
        text.includes(`\nstreams_declared ${declared}\n`) &&
        text.includes('\ndependency_up{dependency="nats"} 1\n') &&
        text.includes('service_name="streams"')
      );
    };
    await waitFor(() => shows(0), { what: 'streams that cannot be declared', timeoutMs: 60_000 });
    await manager.streams.delete('CASES');
    await waitFor(() => shows(1), { what: 'all streams', timeoutMs: 60_000 });
  });
});
