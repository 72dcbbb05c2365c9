import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { connectMongo, principalHeader } from '@casewatch/platform';
import { startMongo, startNats, startSibling, waitFor } from '@casewatch/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { receipt, seen, user } from '../support/fixtures.ts';
import { settings } from '../support/settings.ts';
import { partner } from '../support/start-cases.ts';

const path = '/v1/client/users/1/cases';
const main = new URL('../../src/main.ts', import.meta.url).pathname;

describe('kill -9 of the service between a creation and its answer', () => {
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });

  it('leaves one case, which the next process gives again for the same Idempotency-Key', async () => {
    const [mongo, nats] = await Promise.all([startMongo(), startNats()]);
    const { env, config, sign } = settings(mongo, nats, { LOG_LEVEL: 'info' });
    const identity = await startSibling('identity', mongo, nats);
    const monitor = await startSibling('monitor', mongo, nats);
    cleanUps.push(mongo.stop, nats.stop, identity.stop, monitor.stop);
    const connection = new AbortController();
    identity.bus.serve('identity.user', async () => user(1));
    monitor.bus.serve('monitor.check', async () => {
      connection.abort();
      return seen();
    });
    await Promise.all([identity.bus.connection.flush(), monitor.bus.connection.flush()]);

    const create = async (port: number, signal: AbortSignal | null = null) =>
      await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: {
          [principalHeader]: sign({ principal: partner(), address: '203.0.113.7' }, 'cases', {
            method: 'POST',
            path,
          }),
          'content-type': 'application/json',
          'idempotency-key': 'the-key',
        },
        body: JSON.stringify({ receipt_number: receipt(1), uscis_access_acknowledged: true }),
        signal,
      });

    const first = await startProcess(env);
    cleanUps.push(first.kill);
    await expect(create(first.port, connection.signal)).rejects.toThrow(/abort/i);
    const db = await connectMongo(config.MONGODB_URL);
    cleanUps.push(() => db.close());
    const made = await waitFor(() => db.collection('cases').findOne({ user_id: 1 }), { intervalMs: 1 });
    await first.kill();

    const second = await startProcess(env);
    cleanUps.push(second.kill);
    const again = await create(second.port);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(await again.json()).toMatchObject({ case: { id: Number(made._id) }, update_count: 1 });
    expect(await db.collection('cases').countDocuments({})).toBe(1);
  }, 60_000);
});

/** The service as a process of its own; where it listens stands in its log. */
async function startProcess(env: Record<string, string>): Promise<{ port: number; kill(): Promise<void> }> {
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  return {
    port: await portOf(child),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error('the process has no output');
  for await (const line of createInterface(child.stdout)) {
    const { port } = JSON.parse(line) as { port?: number };
    if (port !== undefined) return port;
  }
  throw new Error('the service did not start');
}
