import type { ReplayTask } from '@casewatch/contracts';
import { connectDatabase, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTaskStore, type TaskRow } from '../../src/store/tasks.ts';
import { startWorld, type World } from '../support/delivery-world.ts';
import { insertPastDeliveries, insertPastEvents } from '../support/past-events.ts';
import { partner } from '../support/start-webhooks.ts';

let world: World;
let db: Awaited<ReturnType<typeof connectDatabase>>;
beforeAll(async () => {
  world = await startWorld({ totalMs: 15_000 });
  db = await connectDatabase(world.service.dbUrl);
});
afterAll(async () => {
  await db.close();
  await world.stop();
});

const minuteMs = 60_000;
const anHourAgo = () => new Date(Date.now() - 60 * minuteMs).toISOString();
const deliveries = () => db.collection('deliveries');
const pastEvents = (partnerId: number, count: number, type?: string) =>
  insertPastEvents(db, partnerId, count, type);
const pastDeliveries = (webhookId: number, ids: string[], state?: object) =>
  insertPastDeliveries(db, webhookId, ids, state);

async function start(partnerId: number, webhookId: number, body: object, key?: string) {
  const path = `/v1/webhooks/${webhookId}/replay`;
  return await world.service.callAs(partner(partnerId), 'POST', path, { since: anHourAgo(), ...body }, key);
}

async function ended(
  partnerId: number,
  task: Pick<ReplayTask, 'id' | 'webhook_id'> | undefined,
): Promise<ReplayTask> {
  return await waitFor(
    async () => {
      const path = `/v1/webhooks/${task?.webhook_id}/tasks/${task?.id}`;
      const { body } = await world.service.call(partnerId, 'GET', path);
      return body.task?.status !== 'running' && body.task;
    },
    { timeoutMs: 30_000, what: 'the end of the replay' },
  );
}

/** In the order of their first arrival; on a busy machine one can come twice. */
const idsAt = async (hook: string) => [
  ...new Set((await world.receiver.calls(hook)).map(({ headers }) => headers['webhook-id'])),
];

async function arrived(hook: string, count: number) {
  const areThere = async () => (await idsAt(hook)).length >= count;
  await waitFor(areThere, { timeoutMs: 40_000, what: `${count} events at ${hook}` });
}

describe('POST /v1/webhooks/{webhook_id}/replay', () => {
  it('202: `failed` sends what failed or waits for a retry, and nothing else', async () => {
    const id = await world.subscribe(1, 'failed');
    const ids = await pastEvents(1, 60);
    await pastDeliveries(id, ids.slice(0, 40));
    const waiting = { status: 'pending', attempt_count: 8, due_at: new Date(Date.now() + 60 * minuteMs) };
    await pastDeliveries(id, ids.slice(40, 50), waiting);
    await pastDeliveries(id, ids.slice(50, 55), { status: 'delivered' });
    const answer = await start(1, id, { until: new Date(Date.now() - minuteMs).toISOString() });
    expect(answer.status).toBe(202);
    expect(answer.headers.get('location')).toBe(`/v1/webhooks/${id}/tasks/${answer.body.task?.id}`);
    expect(answer.body.task).toMatchObject({ status: 'running', selection: 'failed', queued: 0 });
    const task = await ended(1, answer.body.task);
    expect(task).toMatchObject({ status: 'completed', queued: 50, progress: 1, limit_reached: false });
    await arrived('failed', 50);
    expect((await idsAt('failed')).sort()).toEqual(ids.slice(0, 50).sort());
    const path = `/v1/webhooks/${id}/deliveries/${ids[0]}:${id}`;
    const isDone = async () => {
      const { delivery } = (await world.service.call(1, 'GET', path)).body;
      return delivery?.status === 'delivered' && delivery;
    };
    const attempts = (await waitFor(isDone)).attempts.map(({ status, manual }) => [status, manual]);
    expect(attempts).toEqual([
      [500, false],
      [200, true],
    ]);
  });

  it('202: `missing` sends what the endpoint subscribes to and did not get', async () => {
    const id = await world.subscribe(2, 'missing', { events: ['user.*'] });
    const ids = await pastEvents(2, 30);
    await pastEvents(2, 5, 'case.deleted');
    await pastDeliveries(id, ids.slice(0, 10));
    const { body } = await start(2, id, { status: 'missing', until: new Date().toISOString() });
    expect(await ended(2, body.task)).toMatchObject({ status: 'completed', queued: 20 });
    await arrived('missing', 20);
    expect((await idsAt('missing')).sort()).toEqual(ids.slice(10).sort());
  });

  it('202: `all` sends every event of the chosen types', async () => {
    const id = await world.subscribe(3, 'all');
    const ids = await pastEvents(3, 12);
    await pastDeliveries(id, ids.slice(0, 4));
    await pastDeliveries(id, ids.slice(4, 8), { status: 'delivered' });
    await pastDeliveries(id, ids.slice(8, 10), { status: 'cancelled' });
    const { body } = await start(3, id, { status: 'all', events: ['user.deleted'] });
    expect(await ended(3, body.task)).toMatchObject({
      status: 'completed',
      queued: 10,
      events: ['user.deleted'],
    });
    await arrived('all', 10);
    expect((await idsAt('all')).sort()).toEqual([...ids.slice(0, 8), ...ids.slice(10)].sort());
  });

  it('a new event does not wait for the end of a replay', async () => {
    const id = await world.subscribe(4, 'busy', { rate_limit: 20 });
    await pastDeliveries(id, await pastEvents(4, 400));
    const { body } = await start(4, id, {});
    await arrived('busy', 40);
    const event = await world.siblings.identity.publish('user.deleted', {
      user_id: 9_999,
      partner_id: 4,
      version: 2,
    });
    await waitFor(async () => (await idsAt('busy')).includes(`evt_${event}`), { timeoutMs: 30_000 });
    // The 20 deliveries of one second are before it, and those of the time of its intake; 400 are replayed.
    expect((await idsAt('busy')).indexOf(`evt_${event}`)).toBeLessThan(120);
    const path = `/v1/webhooks/${id}/tasks/${body.task?.id}`;
    const cancelled = await world.service.call(4, 'DELETE', path);
    expect(cancelled.body).toMatchObject({ success: true, task: { status: 'cancelled' } });
    const { queued = 0 } = cancelled.body.task ?? {};
    expect(queued).toBeLessThan(400);
    await waitFor(
      async () => (await deliveries().countDocuments({ webhook_id: id, status: 'pending' })) === 0,
    );
    const left = await deliveries().countDocuments({ webhook_id: id, status: 'failed' });
    expect(left).toBeGreaterThan(0);
    const again = await world.service.call(4, 'DELETE', path);
    // A batch that was on its way is counted, too.
    expect(again.body).toMatchObject({
      message: 'Replay cancelled.',
      task: { queued: 400 - left, status: 'cancelled' },
    });
  });

  it('counts the batch during which it was cancelled, and stays cancelled', async () => {
    const id = await world.subscribe(14, 'cancelled', { active: false });
    const now = new Date();
    const row: TaskRow = {
      ...{
        _id: 1_000_001,
        webhook_id: id,
        status: 'cancelled',
        selection: 'all',
        events: [],
        position: null,
      },
      ...{ batches: 0, queued: 0, limit_reached: false, created_at: now, finished_at: now },
      ...{ since: new Date(anHourAgo()), until: now },
    };
    await db.collection<TaskRow>('tasks').insertOne(row);
    const store = createTaskStore(db);
    const batch = {
      position: ['evt_1:1', now.getTime()] as [string, number],
      queued: 20,
      limit_reached: false,
    };
    const end = { status: 'completed', finished_at: now } as const;
    await store.advance(row, batch, end);
    // The same batch of another replica.
    await store.advance(row, { ...batch, queued: 40 }, end);
    expect(await store.find(id, row._id)).toMatchObject({ status: 'cancelled', queued: 20, batches: 1 });
  });

  it('a replay ends after 50,000 deliveries and says where to continue', async () => {
    const id = await world.subscribe(10, 'limit');
    const ids = await pastEvents(10, 20);
    await pastDeliveries(id, ids);
    const now = new Date();
    await db.collection<{ _id: number }>('tasks').insertOne({
      ...{
        _id: 1_000_000,
        webhook_id: id,
        status: 'running',
        selection: 'failed',
        events: [],
        position: null,
      },
      ...{ batches: 0, queued: 49_990, limit_reached: false, created_at: now, finished_at: null },
      ...{ since: new Date(anHourAgo()), until: now },
    });
    const task = await ended(10, { id: 1_000_000, webhook_id: id });
    expect(task).toMatchObject({ status: 'completed', queued: 50_000, limit_reached: true });
    await arrived('limit', 10);
    const last = await deliveries().findOne({ event_id: ids[9] });
    expect(task.processed_until).toBe(last?.created_at.toISOString());
    expect(await deliveries().countDocuments({ webhook_id: id, status: 'failed' })).toBe(10);
  });

  it('ends although ten replays before it fail again and again', async () => {
    const broken: number[] = [];
    for (let i = 0; i < 10; i += 1) broken.push(await world.subscribe(11, `broken-${i}`));
    const id = await world.subscribe(12, 'behind');
    const now = new Date();
    const rows = broken.map((webhook_id) => ({
      ...{ _id: 2_000_000 + webhook_id, webhook_id, status: 'running', selection: 'failed', events: [] },
      ...{ position: null, batches: 0, queued: 0, limit_reached: false, created_at: now, finished_at: null },
      // What no replay has.
      ...{ since: null, until: now },
    }));
    await db.collection<{ _id: number }>('tasks').insertMany(rows);
    await pastDeliveries(id, await pastEvents(12, 3));
    const { body } = await start(12, id, {});
    expect(await ended(12, body.task)).toMatchObject({ status: 'completed', queued: 3 });
    await db.collection('tasks').deleteMany({ webhook_id: { $in: broken } });
  });

  it('reads what failed, and nothing of what was delivered', async () => {
    const id = await world.subscribe(13, 'few-failed', { active: false });
    const ids = await pastEvents(13, 3_000);
    await pastDeliveries(id, ids.slice(0, 2_990), { status: 'delivered' });
    await pastDeliveries(id, ids.slice(2_990, 2_995));
    await pastDeliveries(id, ids.slice(2_995), { status: 'cancelled', reason: 'endpoint_gone' });
    await db.db?.command({ profile: 2 });
    const { body } = await start(13, id, {});
    expect((await ended(13, body.task)).queued).toBe(10);
    await db.db?.command({ profile: 0 });
    const looks = await db
      .collection('system.profile')
      .find({
        'command.find': 'deliveries',
        'command.filter.webhook_id': id,
        'command.filter.event': { $exists: true },
      })
      .toArray();
    expect(new Set(looks.map(({ command }) => command.filter.status))).toEqual(
      new Set(['failed', 'pending', 'cancelled']),
    );
    const read = looks.map(({ docsExamined, nreturned }) => docsExamined - nreturned);
    expect(Math.max(...read)).toBeLessThanOrEqual(10);
  });

  it('409: while another replay to the endpoint is running, also for parallel calls', async () => {
    const id = await world.subscribe(5, 'one', { active: false });
    await pastDeliveries(id, await pastEvents(5, 60));
    const answers = await Promise.all(Array.from({ length: 5 }, () => start(5, id, {})));
    const refused = answers.filter(({ body }) => body.code === 'replay_in_progress');
    expect([answers.filter(({ status }) => status === 202).length, refused.length]).toEqual([1, 4]);
  });

  it('202: the same Idempotency-Key starts one replay', async () => {
    const id = await world.subscribe(6, 'key');
    const body = { since: anHourAgo() };
    const first = await start(6, id, body, 'replay-key');
    const again = await start(6, id, body, 'replay-key');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect((await ended(6, first.body.task)).queued).toBe(0);
  });

  it('400: more than 30 days ago, or a period that ends before it begins', async () => {
    const id = await world.subscribe(7, 'period');
    const long = new Date(Date.now() - 31 * 24 * 60 * minuteMs).toISOString();
    for (const body of [{ since: long }, { until: long }]) {
      const answer = await start(7, id, body);
      expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([400, '#/since']);
    }
  });

  it('404: an endpoint of another partner, and a task of another endpoint', async () => {
    const id = await world.subscribe(8, 'mine');
    const other = await world.subscribe(8, 'other');
    expect((await start(9, id, {})).body.code).toBe('webhook_not_found');
    const { body } = await start(8, id, {});
    for (const method of ['GET', 'DELETE']) {
      const path = `/v1/webhooks/${other}/tasks/${body.task?.id}`;
      const { status, body: answer } = await world.service.call(8, method, path);
      expect([status, answer.code]).toEqual([404, 'task_not_found']);
    }
  });
});
