import type { Delivery } from '@casewatch/contracts';
import { connectDatabase, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/delivery-world.ts';
import { caseReply, observed, statusUpdated } from '../support/fixtures.ts';

let world: World;
let db: Awaited<ReturnType<typeof connectDatabase>>;
beforeAll(async () => {
  world = await startWorld();
  db = await connectDatabase(world.service.dbUrl);
});
afterAll(async () => {
  await db.close();
  await world.stop();
});

/** Deletions need no answer of another service. */
function deleteUser(partnerId: number, user_id: number): Promise<string> {
  return world.siblings.identity.publish('user.deleted', { user_id, partner_id: partnerId, version: 2 });
}

const isDelivered = ({ status }: Delivery) => status === 'delivered';
const wasTried = ({ attempts }: Delivery) => attempts.length > 0;
const pathOf = (id: number, rest: string) => `/v1/webhooks/${id}/deliveries/${rest}`;

/** An endpoint that answers 500 and waits an hour for the next attempt, with one delivery. */
async function failing(partnerId: number, hook: string) {
  const id = await world.subscribe(partnerId, hook, { headers: { 'X-Api-Key': 'value-of-a-header' } });
  await world.receiver.configure(hook, { status: 500, headers: { 'retry-after': '3600' } });
  await deleteUser(partnerId, partnerId * 100);
  return { id, delivery: await world.delivery(partnerId, id, wasTried) };
}

describe('GET /v1/webhooks/{webhook_id}/deliveries/{delivery_id}', () => {
  it('200: shows the event, the request headers, the response and the cause', async () => {
    const { id, delivery } = await failing(1, 'detail');
    const [call] = await world.arrived('detail', 1);
    const { status, body } = await world.service.call(1, 'GET', pathOf(id, delivery.id));
    expect(status).toBe(200);
    const { 'webhook-signature': _, traceparent, ...headers } = call?.headers ?? {};
    const [attempt] = body.delivery?.attempts ?? [];
    expect(attempt).toMatchObject({
      status: 500,
      error: 'http_500',
      message: 'The endpoint answered 500 Internal Server Error.',
      manual: false,
      response: '{"received":true}',
    });
    const shown = { ...attempt?.request_headers };
    expect(shown).toMatchObject({ 'X-Api-Key': '***' });
    delete shown['X-Api-Key'];
    expect(headers).toMatchObject(shown);
    expect(Object.keys(shown).sort()).toEqual([
      'content-type',
      'user-agent',
      'webhook-id',
      'webhook-timestamp',
    ]);
    expect(JSON.stringify(body.delivery?.payload)).toBe(call?.body);
  });

  it('404: a delivery of another endpoint, and one that does not exist', async () => {
    const { delivery } = await failing(2, 'mine');
    const other = await world.subscribe(2, 'other', { events: ['case.*'] });
    for (const path of [pathOf(other, delivery.id), pathOf(other, 'evt_none:1')]) {
      for (const [method, rest] of [
        ['GET', ''],
        ['POST', '/redeliver'],
      ] as const) {
        const { status, body } = await world.service.call(2, method, path + rest);
        expect([status, body.code]).toEqual([404, 'delivery_not_found']);
      }
    }
  });
});

describe('POST …/redeliver', () => {
  it('200: a new attempt with the same id supersedes the pending retry', async () => {
    const { id, delivery } = await failing(3, 'again');
    expect(delivery.status).toBe('pending');
    await world.receiver.configure('again', { status: 200, headers: null });
    const answer = await world.service.call(3, 'POST', `${pathOf(id, delivery.id)}/redeliver`);
    expect([answer.status, answer.body.delivery?.id]).toEqual([200, delivery.id]);
    const done = await world.delivery(3, id, isDelivered);
    expect(done.attempts.map(({ status, manual }) => [status, manual])).toEqual([
      [500, false],
      [200, true],
    ]);
    const calls = await world.receiver.calls('again');
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1);
    expect(calls.every(({ signature_ok }) => signature_ok)).toBe(true);
    expect(done.next_attempt_at).toBeNull();
  });

  it('200: a delivered event is sent once more', async () => {
    const id = await world.subscribe(4, 'twice');
    await deleteUser(4, 401);
    const { id: deliveryId } = await world.delivery(4, id, isDelivered);
    expect((await world.service.call(4, 'POST', `${pathOf(id, deliveryId)}/redeliver`)).status).toBe(200);
    const again = await world.delivery(4, id, ({ attempts }) => attempts.length === 2);
    expect(again.attempts.map(({ manual }) => manual)).toEqual([false, true]);
  });

  it('409: while an attempt is running', async () => {
    const id = await world.subscribe(5, 'slow');
    await world.receiver.configure('slow', { delay_ms: 1_500 });
    await deleteUser(5, 501);
    const { id: deliveryId } = await world.delivery(5, id, ({ status }) => status === 'sending');
    const answer = await world.service.call(5, 'POST', `${pathOf(id, deliveryId)}/redeliver`);
    expect([answer.status, answer.body.code, answer.body.retryable]).toEqual([
      409,
      'delivery_in_progress',
      true,
    ]);
    await world.delivery(5, id, isDelivered);
    expect(await world.receiver.calls('slow')).toHaveLength(1);
  });

  it('409: after the event was deleted with its user', async () => {
    const { id, delivery } = await failing(6, 'erased');
    await db.db?.collection<{ _id: string }>('events').deleteOne({ _id: delivery.event_id });
    const answer = await world.service.call(6, 'POST', `${pathOf(id, delivery.id)}/redeliver`);
    expect([answer.status, answer.body.code]).toEqual([409, 'event_deleted']);
    const { body } = await world.service.call(6, 'GET', pathOf(id, delivery.id));
    expect(body.delivery?.payload).toBeNull();
  });
});

describe('GET /v1/webhooks/{webhook_id}/deliveries', () => {
  it.each([{ status: 'failed' }, { status: 'pending' }, { status: 'cancelled' }, { event: 'case.deleted' }])(
    '200: finds the few of %j without reading the others',
    async (filter) => {
      const id = await world.subscribe(7, `few-${JSON.stringify(filter)}`, { events: ['webhook.ping'] });
      const now = Date.now();
      const rows = Array.from({ length: 1_000 }, (_, i) => ({
        ...{ _id: `evt_${i}:${id}`, event_id: `evt_${i}`, webhook_id: id, user_id: null, attempt_count: 1 },
        ...{ event: 'user.deleted', status: 'delivered', attempts: [], claim: null, due_at: null },
        ...(i < 3 && filter),
        created_at: new Date(now - i),
      }));
      const collection = db.db?.collection<{ _id: string }>('deliveries');
      await collection?.insertMany(rows);
      const query = new URLSearchParams(filter as Record<string, string>);
      const { body } = await world.service.call(7, 'GET', `/v1/webhooks/${id}/deliveries?${query}`);
      expect(body.deliveries?.map((row) => row.event_id)).toEqual(['evt_0', 'evt_1', 'evt_2']);
      const plan = await collection
        ?.find({ webhook_id: id, ...filter })
        .sort({ created_at: -1, _id: -1 })
        .explain('executionStats');
      expect(plan?.executionStats.totalDocsExamined).toBe(3);
    },
  );

  it('200: finds those of a period, in pages, newest first', async () => {
    const id = await world.subscribe(10, 'period', { events: ['webhook.ping'] });
    const start = Date.UTC(2026, 10, 21, 10);
    const minutes = [0, 1, 2, 3, 4, 5];
    const rows = minutes.map((minute) => ({
      ...{ _id: `evt_${minute}:${id}`, event_id: `evt_${minute}`, webhook_id: id, user_id: null },
      ...{ event: 'user.deleted', status: 'delivered', attempts: [], attempt_count: 1 },
      ...{ claim: null, due_at: null, created_at: new Date(start + minute * 60_000) },
    }));
    await db.collection<{ _id: string }>('deliveries').insertMany(rows);
    const since = new Date(start + 30_000).toISOString();
    const until = new Date(start + 4 * 60_000 + 30_000).toISOString();
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = new URLSearchParams({ since, until, limit: '3', ...(cursor && { cursor }) });
      const path = `/v1/webhooks/${id}/deliveries?${query}`;
      const { body } = await world.service.call(10, 'GET', path);
      pages.push(body.deliveries?.map(({ event_id }) => event_id) ?? []);
      cursor = body.next_cursor ?? null;
    }
    expect(pages).toEqual([['evt_4', 'evt_3', 'evt_2'], ['evt_1']]);
  });

  it('200: names the case of each event that has one, also in the delivery alone; none once the event is gone', async () => {
    const id = await world.subscribe(11, 'cases');
    const latest = observed(9_001, 2);
    const of = { id: 9_000, userId: 1_102, partnerId: 11 };
    const reply = caseReply({ ...of, latest });
    world.siblings.knownCases.set(of.id, reply);
    await world.siblings.monitor.publish('status.updated', statusUpdated(reply, latest));
    await deleteUser(11, 1_101);
    const listed = async () =>
      (await world.service.call(11, 'GET', `/v1/webhooks/${id}/deliveries`)).body.deliveries ?? [];
    const both = async () => {
      const rows = await listed();
      return rows.length === 2 && rows.every(isDelivered) && rows;
    };
    const rows = await waitFor(both, { what: 'both deliveries' });
    const named = { id: 9_000, user_case_id: 'FLOW0009000', receipt_number: reply.case.receipt_number };
    const shown = Object.fromEntries(rows.map((row) => [row.event, row.case]));
    expect(shown).toEqual({ 'case.status_updated': named, 'user.deleted': null });
    const ofCase = rows.find(({ event }) => event === 'case.status_updated');
    const path = pathOf(id, String(ofCase?.id));
    expect((await world.service.call(11, 'GET', path)).body.delivery?.case).toEqual(named);
    const again = await world.service.call(11, 'POST', `${path}/redeliver`);
    expect(again.body.delivery?.case).toEqual(named);
    await db.collection<{ _id: string }>('events').deleteOne({ _id: String(ofCase?.event_id) });
    expect((await listed()).map((row) => row.case)).toEqual([null, null]);
  });

  it('200: names the case of a notification and of a deletion, which have no receipt number', async () => {
    const id = await world.subscribe(12, 'no-receipts');
    const data = {
      'notification.sent': { notification: { status_update_id: 1, case_id: 9_100 } },
      'case.deleted': { case: { id: 9_101, user_case_id: 'FLOW0009101', user_id: 1, version: 2 } },
      'import.finished': { import: { id: 9_102 } },
    };
    const created_at = new Date();
    const of = { partner_id: 12, user_id: null, endpoints: [id], traceparent: '', intake_at: created_at };
    for (const [event, found] of Object.entries(data)) {
      const event_id = `evt_of_${event}`;
      const body = JSON.stringify({ data: found });
      const row = { _id: event_id, type: event, body, ...of };
      await db.collection<{ _id: string }>('events').insertOne(row);
      const delivery = {
        ...{ _id: `${event_id}:${id}`, event_id, event, webhook_id: id, user_id: null, status: 'delivered' },
        ...{ attempts: [], attempt_count: 1, claim: null, due_at: null, created_at },
      };
      await db.collection<{ _id: string }>('deliveries').insertOne(delivery);
    }
    const { body } = await world.service.call(12, 'GET', `/v1/webhooks/${id}/deliveries`);
    expect(Object.fromEntries(body.deliveries?.map((row) => [row.event, row.case]) ?? [])).toEqual({
      'notification.sent': { id: 9_100, user_case_id: 'FLOW0009100', receipt_number: null },
      'case.deleted': { id: 9_101, user_case_id: 'FLOW0009101', receipt_number: null },
      'import.finished': null,
    });
  });

  it('200: names the cause of each failure', async () => {
    const { body } = await world.service.call(8, 'POST', '/v1/webhooks', {
      url: 'http://127.0.0.1:1/',
      events: ['*'],
    });
    const id = body.webhook?.id ?? 0;
    await deleteUser(8, 801);
    const refused = await world.delivery(8, id, wasTried);
    expect(refused.attempts[0]?.message).toBe('The host refused the connection.');
    const redirecting = await world.subscribe(9, 'redirect');
    const location = 'https://other.example/hook';
    await world.receiver.configure('redirect', { status: 302, headers: { location } });
    await deleteUser(9, 901);
    const redirected = await world.delivery(9, redirecting, wasTried);
    expect(redirected.attempts[0]?.message).toBe('Redirect to https://other.example/hook was not followed.');
    await waitFor(async () => (await world.receiver.calls('redirect')).length > 0);
  });
});
