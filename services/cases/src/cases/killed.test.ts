import { principalHeader, start } from '@casewatch/platform';
import {
  connectDatabase,
  servePeople,
  startMongo,
  startNats,
  startSibling,
  waitFor,
} from '@casewatch/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { receipt, seen, user } from '../../test/support/fixtures.ts';
import { settings } from '../../test/support/settings.ts';
import { partner } from '../../test/support/start-cases.ts';
import { startProcess } from '../../test/support/start-process.ts';
import { cases } from '../service.ts';

const path = '/v1/client/users/1/cases';

describe('kill -9 of the service between a creation and its answer', () => {
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });

  it('leaves one case, which the next process gives again for the same Idempotency-Key', async () => {
    const [mongo, nats] = await Promise.all([startMongo(), startNats()]);
    const { env, config, sign } = settings(mongo, nats);
    const identity = await startSibling('identity', nats);
    const monitor = await startSibling('monitor', nats);
    cleanUps.push(mongo.stop, nats.stop, identity.stop, monitor.stop);
    const connection = new AbortController();
    servePeople(identity.bus, (id) => user(id));
    identity.bus.serve('identity.partner', async () => ({ email: '' }));
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
    const db = await connectDatabase(config.MONGODB_URL);
    cleanUps.push(() => db.close());
    const made = await waitFor(() => db.collection('cases').findOne({ user_id: 1 }), { intervalMs: 1 });
    await first.kill();

    const second = await start(cases, env);
    cleanUps.push(second.stop);
    const again = await create(second.port);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(await again.json()).toMatchObject({ case: { id: Number(made._id) }, update_count: 1 });
    expect(await db.collection('cases').countDocuments({})).toBe(1);
  });
});
