import { startMongo, startNats, type TestMongo, type TestNats, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { partner, startTestWebhooks, type TestWebhooks } from '../support/start-webhooks.ts';

let mongo: TestMongo;
let nats: TestNats;
let service: TestWebhooks;

beforeAll(async () => {
  [mongo, nats] = await Promise.all([startMongo(), startNats()]);
  service = await startTestWebhooks({ mongo, nats, resolve: async () => ['93.184.215.14'] });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([mongo.stop(), nats.stop()]);
});

const wanted = { url: 'https://example.com/hook', events: ['case.*', 'case.*'] };

async function create(partnerId: number, body: object = wanted) {
  const { body: answer } = await service.call(partnerId, 'POST', '/v1/webhooks', body);
  if (!answer.webhook) throw new Error(`not created: ${answer.code}`);
  return answer.webhook;
}

describe('webhooks over HTTP', () => {
  it('creates an endpoint, with its secret and defaults, and says where it is', async () => {
    const headers = { 'X-Api-Key': 'value-of-a-header' };
    const answer = await service.call(1, 'POST', '/v1/webhooks', { ...wanted, headers });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/v1/webhooks/${answer.body.webhook?.id}`);
    expect(answer.body).toMatchObject({
      success: true,
      message: 'Webhook created.',
      webhook: {
        url: 'https://example.com/hook',
        events: ['case.*'],
        description: '',
        active: true,
        headers: ['X-Api-Key'],
        rate_limit: 50,
        last_delivery_at: null,
        last_status: null,
        failing_since: null,
        disabled_at: null,
        disabled_reason: null,
      },
    });
    expect(Buffer.from(answer.body.webhook?.secret?.slice('whsec_'.length) ?? '', 'base64')).toHaveLength(32);
  });

  it('keeps secrets and header values encrypted', async () => {
    const created = await create(2, { ...wanted, headers: { 'X-Api-Key': 'value-of-a-header' } });
    const secret = String(created.secret);
    const stored = await service.stored('webhooks');
    expect(stored).toContain('X-Api-Key');
    for (const clear of ['value-of-a-header', secret.slice('whsec_'.length), 'whsec_'])
      expect(stored).not.toContain(clear);
  });

  it('reads one with its success rate and without its secret', async () => {
    const { secret: _, ...created } = await create(3);
    const answer = await service.call(3, 'GET', `/v1/webhooks/${created.id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ webhook: { ...created, success_rate_24h: null } });
  });

  it('lists in pages, newest first, filtered by active', async () => {
    const ids = [];
    for (const active of [true, false, true]) ids.unshift((await create(4, { ...wanted, active })).id);
    const first = await service.call(4, 'GET', '/v1/webhooks?limit=2');
    expect(first.body.webhooks?.map((webhook) => webhook.id)).toEqual(ids.slice(0, 2));
    expect(first.body.has_more).toBe(true);
    const path = `/v1/webhooks?limit=2&cursor=${first.body.next_cursor}`;
    const second = await service.call(4, 'GET', path);
    expect(second.body.webhooks?.map((webhook) => webhook.id)).toEqual(ids.slice(2));
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
    const inactive = await service.call(4, 'GET', '/v1/webhooks?active=false');
    expect(inactive.body.webhooks?.map((webhook) => webhook.id)).toEqual([ids[1]]);
    expect((await service.call(5, 'GET', path)).body.code).toBe('invalid_cursor');
  });

  it('changes what is sent and nothing else', async () => {
    const { secret: _, ...created } = await create(6);
    const path = `/v1/webhooks/${created.id}`;
    const answer = await service.call(6, 'PUT', path, { description: 'Ours', rate_limit: 5 });
    expect(answer.status).toBe(200);
    const updated_at = answer.body.webhook?.updated_at;
    expect(answer.body.webhook).toEqual({ ...created, description: 'Ours', rate_limit: 5, updated_at });
    const empty = await service.call(6, 'PUT', path, {});
    expect([empty.status, empty.body.code]).toEqual([400, 'empty_update']);
    const unknown = await service.call(6, 'PUT', path, { secret: 'x' });
    expect([unknown.status, unknown.body.code]).toEqual([400, 'validation_failed']);
    const bad = await service.call(6, 'PUT', path, { url: 'https://example.com:8080/' });
    expect([bad.status, bad.body.code]).toEqual([400, 'webhook_url_not_allowed']);
  });

  it('deletes once', async () => {
    const { id } = await create(7);
    expect((await service.call(7, 'DELETE', `/v1/webhooks/${id}`)).body).toEqual({
      success: true,
      message: 'Webhook deleted.',
    });
    expect((await service.call(7, 'DELETE', `/v1/webhooks/${id}`)).status).toBe(404);
    expect((await service.call(7, 'GET', '/v1/webhooks')).body.webhooks).toEqual([]);
  });

  it("answers 404 for another partner's endpoint, as for one that does not exist", async () => {
    const { id } = await create(8);
    const calls: [string, string, object?][] = [
      ['GET', ''],
      ['PUT', '', { description: 'mine now' }],
      ['DELETE', ''],
      ['GET', '/deliveries'],
    ];
    for (const [method, rest, body] of calls) {
      const other = await service.call(9, method, `/v1/webhooks/${id}${rest}`, body);
      expect([other.status, other.body.code]).toEqual([404, 'webhook_not_found']);
      expect((await service.call(8, method, `/v1/webhooks/999999${rest}`, body)).status).toBe(404);
    }
    expect((await service.call(8, 'GET', `/v1/webhooks/${id}`)).body.webhook?.description).toBe('');
  });

  it('refuses header names that are ours, HTTP’s or there twice, each with its place', async () => {
    const names = ['Webhook-Id', 'HOST', 'Proxy-Authorization', 'transfer-encoding', 'X-A', 'x-a', 'Expect'];
    const headers = Object.fromEntries(names.map((name) => [name, 'x']));
    const answer = await service.call(10, 'POST', '/v1/webhooks', { ...wanted, headers });
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    expect(answer.body.errors?.map((fault) => fault.pointer)).toEqual(
      names.filter((name) => name !== 'X-A').map((name) => `#/headers/${name}`),
    );
  });

  it('refuses a header that JavaScript would lose, and takes those that only look like it', async () => {
    // In an object literal `__proto__` would be no key.
    const headers = JSON.parse('{"__proto__": "lost", "X-A": "x"}') as object;
    const expected = { status: 400, body: { errors: [{ pointer: '#/headers/__proto__' }] } };
    expect(await service.call(14, 'POST', '/v1/webhooks', { ...wanted, headers })).toMatchObject(expected);
    const others = { constructor: 'a', prototype: 'b', toString: 'c', hasOwnProperty: 'd', __proto: 'e' };
    const created = await service.call(14, 'POST', '/v1/webhooks', { ...wanted, headers: others });
    expect(created.body.webhook?.headers).toEqual(Object.keys(others));
    const path = `/v1/webhooks/${created.body.webhook?.id}`;
    expect(await service.call(14, 'PUT', path, { headers })).toMatchObject(expected);
    expect((await service.call(14, 'GET', path)).body.webhook?.headers).toEqual(Object.keys(others));
  });

  it('accepts ten headers of 1 KiB and 5,000 per second, and refuses more', async () => {
    const names = Array.from({ length: 11 }, (_, i) => `X-${i}`);
    const headersOf = (count: number, length: number) =>
      Object.fromEntries(names.slice(0, count).map((name) => [name, 'x'.repeat(length)]));
    const greatest = { ...wanted, headers: headersOf(10, 1_024), rate_limit: 5_000 };
    expect((await service.call(13, 'POST', '/v1/webhooks', greatest)).status).toBe(201);
    const tooMuch: [object, string][] = [
      [{ headers: headersOf(11, 1) }, '#/headers'],
      [{ headers: headersOf(1, 1_025) }, '#/headers/X-0'],
      [{ rate_limit: 5_001 }, '#/rate_limit'],
      [{ rate_limit: 0 }, '#/rate_limit'],
      [{ events: ['case.eaten'] }, '#/events/0'],
    ];
    for (const [more, pointer] of tooMuch) {
      const { status, body } = await service.call(13, 'POST', '/v1/webhooks', { ...wanted, ...more });
      expect([status, body.errors?.map((fault) => fault.pointer)]).toEqual([400, [pointer]]);
    }
  });

  it('lets a partner have twenty, even if fifty are requested at the same time', async () => {
    // They all want one row: on a slow machine some hear 503, which says to ask again, as partners do.
    const insist = async () => {
      const answer = await service.call(11, 'POST', '/v1/webhooks', wanted);
      return answer.status !== 503 && answer;
    };
    const calls = Array.from({ length: 50 }, () => waitFor(insist, { timeoutMs: 60_000, what: 'an answer' }));
    const answers = await Promise.all(calls);
    const created = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ body }) => body.code === 'webhook_limit_reached');
    expect([created.length, refused.length]).toEqual([20, 30]);
    expect((await service.call(11, 'GET', '/v1/webhooks')).body.webhooks).toHaveLength(20);
    await service.call(11, 'DELETE', `/v1/webhooks/${created[0]?.body.webhook?.id}`);
    expect((await service.call(11, 'POST', '/v1/webhooks', wanted)).status).toBe(201);
    expect((await service.call(11, 'POST', '/v1/webhooks', wanted)).status).toBe(409);
  });

  it('lets in partners with the scope, nobody else', async () => {
    const none = await service.callAs(partner(12, ['check']), 'GET', '/v1/webhooks');
    expect([none.status, none.body.code]).toEqual([403, 'insufficient_scope']);
    expect((await service.callAs({ kind: 'anonymous' }, 'GET', '/v1/webhooks')).status).toBe(401);
  });
});
