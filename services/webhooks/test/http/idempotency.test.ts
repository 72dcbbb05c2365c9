import { startMongo, startNats, type TestMongo, type TestNats } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { partner, startTestWebhooks, type TestWebhooks } from '../support/start-webhooks.ts';

const wanted = { url: 'https://example.com/hook', events: ['case.*'] };

describe('an endpoint created with an Idempotency-Key', () => {
  let mongo: TestMongo;
  let nats: TestNats;
  let service: TestWebhooks;
  let partnerId = 0;
  let resolve: () => Promise<string[]>;
  const create = (body: object = wanted) =>
    service.callAs(partner(partnerId), 'POST', '/v1/webhooks', body, 'one-key');
  const count = async () => (await service.call(partnerId, 'GET', '/v1/webhooks')).body.webhooks?.length;
  const isReplay = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed') === 'true';

  beforeAll(async () => {
    [mongo, nats] = await Promise.all([startMongo(), startNats()]);
    service = await startTestWebhooks({ mongo, nats, resolve: () => resolve() });
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all([mongo.stop(), nats.stop()]);
  });
  beforeEach(() => {
    partnerId += 1;
    resolve = async () => ['93.184.215.14'];
  });

  it('is given again, but its secret is not shown twice', async () => {
    const first = await create();
    const again = await create();
    expect([first.status, isReplay(first)]).toEqual([201, false]);
    expect([again.status, isReplay(again)]).toEqual([201, true]);
    expect(first.body.webhook?.secret).toMatch(/^whsec_/);
    expect(again.body).toEqual({ ...first.body, webhook: { ...first.body.webhook, secret: null } });
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(await count()).toBe(1);
  });

  it('is refused with 409 for another body, and another partner may use the same key', async () => {
    await create();
    const reused = await create({ ...wanted, description: 'another' });
    expect([reused.status, reused.body.code]).toEqual([409, 'idempotency_key_reused']);
    partnerId += 1;
    const other = await create({ ...wanted, description: 'another' });
    expect([other.status, isReplay(other)]).toEqual([201, false]);
  });

  it('is one of 50 at once', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => create()));
    const made = replies.filter(({ status }) => status === 201);
    expect(made.filter((reply) => !isReplay(reply))).toHaveLength(1);
    expect(made.filter(({ body }) => typeof body.webhook?.secret === 'string')).toHaveLength(1);
    expect(new Set(made.map(({ body }) => body.webhook?.id)).size).toBe(1);
    for (const { status, body } of replies.filter((reply) => reply.status !== 201))
      expect([status, body.code]).toEqual([409, 'idempotency_in_progress']);
    expect(await count()).toBe(1);
  });

  it('may be tried again with the same key after a refusal', async () => {
    resolve = async () => ['127.0.0.1'];
    const url = { ...wanted, url: 'https://refused.example/hook' };
    expect((await create(url)).body.code).toBe('webhook_url_not_allowed');
    resolve = async () => ['93.184.215.14'];
    const again = await create({ ...wanted, url: 'https://allowed.example/hook' });
    expect([again.status, isReplay(again)]).toEqual([201, false]);
  });
});
