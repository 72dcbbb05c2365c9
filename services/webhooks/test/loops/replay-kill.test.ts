import { fileURLToPath } from 'node:url';
import { connectDatabase, spawnProgram, startMongo, startNats, waitFor } from '@casewatch/testing';
import { afterAll, expect, it } from '@jest/globals';
import { insertPastDeliveries, insertPastEvents } from '../support/past-events.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { startSiblings } from '../support/siblings.ts';
import { startTestWebhooks } from '../support/start-webhooks.ts';

/** At 20 deliveries a second. */
const events = 120;
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

it('a replay whose process is killed is continued by another one, and every event arrives', async () => {
  const [mongo, nats, receiver] = await Promise.all([startMongo(), startNats(), startReceiver()]);
  ends.push(() => Promise.all([receiver.stop(), mongo.stop(), nats.stop()]));
  const siblings = await startSiblings(nats);
  ends.push(siblings.stop);
  const first = await startTestWebhooks({ mongo, nats });
  const { body } = await first.call(1, 'POST', '/v1/webhooks', {
    url: receiver.urlOf('replayed'),
    events: ['user.deleted'],
    rate_limit: 20,
  });
  const id = body.webhook?.id ?? 0;
  const db = await connectDatabase(first.dbUrl);
  ends.push(() => db.close());
  const ids = await insertPastEvents(db, 1, events);
  await insertPastDeliveries(db, id, ids.slice(0, events / 3));
  await first.stop();

  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const { end } = spawnProgram(main, { env: first.env });
  ends.push(() => end('SIGKILL'));
  const now = new Date();
  await db.collection<{ _id: number }>('tasks').insertOne({
    ...{ _id: 1, webhook_id: id, status: 'running', selection: 'all', events: [], position: null },
    ...{ batches: 0, queued: 0, limit_reached: false, created_at: now, finished_at: null },
    ...{ since: new Date(now.getTime() - 3_600_000), until: new Date(now.getTime() - 60_000) },
  });
  const arrived = async () => (await receiver.calls('replayed')).map(({ headers }) => headers['webhook-id']);
  await waitFor(async () => (await arrived()).length >= events / 3, {
    timeoutMs: 30_000,
    what: 'a part of the replay',
  });
  await end('SIGKILL');
  expect(new Set(await arrived()).size).toBeLessThan(events);
  const isOpen = { webhook_id: id, status: { $ne: 'delivered' } };
  const notStored = await db.collection('deliveries').distinct('event_id', isOpen);

  const second = await startTestWebhooks({ mongo, nats });
  const restartedAt = new Date().toISOString();
  ends.push(second.stop);
  const path = `/v1/webhooks/${id}/tasks/1`;
  const task = await waitFor(
    async () => {
      const { body } = await second.call(1, 'GET', path);
      return body.task?.status === 'completed' && body.task;
    },
    { timeoutMs: 60_000, what: 'the end of the replay' },
  );
  expect(task.queued).toBe(events);
  await waitFor(async () => new Set(await arrived()).size === events, {
    timeoutMs: 30_000,
    what: 'every event',
  });
  const calls = Map.groupBy(await receiver.calls('replayed'), ({ headers }) => String(headers['webhook-id']));
  expect([...calls.keys()].sort()).toEqual([...ids].sort());
  // What the killed process had sent, and not stored as delivered, comes again, and once.
  const mayComeTwice = (eventId: string, [first, , third]: Received[]) =>
    notStored.includes(eventId) && String(first?.received_at) < restartedAt && third === undefined;
  const twice = [...calls].filter(([, { length }]) => length > 1);
  expect(twice.filter(([eventId, received]) => !mayComeTwice(eventId, received))).toEqual([]);
});
