import { webhookEventTypes } from '@casewatch/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/delivery-world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ totalMs: 400 });
});
afterAll(() => world.stop());

const test = (partnerId: number, id: number, body: object = {}) =>
  world.service.call(partnerId, 'POST', `/v1/webhooks/${id}/test`, body);

describe('POST /v1/webhooks/{webhook_id}/test', () => {
  it('200: sends a signed ping and returns the attempt, even if the endpoint is not active', async () => {
    const id = await world.subscribe(1, 'ping', { active: false });
    const { status, body } = await test(1, id);
    expect(status).toBe(200);
    const [call] = await world.receiver.calls('ping');
    expect(call?.signature_ok).toBe(true);
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      id: body.event_id,
      type: 'webhook.ping',
      data: { webhook: { id, active: false } },
    });
    expect(body.event_id).toMatch(/^evt_test_[0-9a-f]{32}$/);
    expect(body.attempt).toMatchObject({
      status: 200,
      error: null,
      message: null,
      manual: true,
      response: '{"received":true}',
      request_headers: { 'webhook-id': body.event_id },
    });
    expect(body.message).toMatch(/^The endpoint answered 200 in \d+ ms\.$/);
    const { body: listed } = await world.service.call(1, 'GET', `/v1/webhooks/${id}/deliveries`);
    expect(listed.deliveries).toEqual([]);
  });

  it('200: sends an example of every other type', async () => {
    const id = await world.subscribe(2, 'types');
    for (const event of webhookEventTypes) expect((await test(2, id, { event })).status).toBe(200);
    const calls = await world.receiver.calls('types'); // Each body has the schema of its type.
    expect(calls.map(({ body }) => JSON.parse(body).type)).toEqual([...webhookEventTypes]);
  });

  it('200: names the cause if the endpoint fails, and the endpoint stays as it is', async () => {
    const id = await world.subscribe(3, 'hanging');
    await world.receiver.configure('hanging', { delay_ms: 3_000 });
    const { status, body } = await test(3, id);
    expect(status).toBe(200);
    expect(body.attempt).toMatchObject({ status: null, error: 'timeout', response: null });
    expect(body.message).toMatch(/^No answer in [4-9]\d\d ms\.$/);
    await world.receiver.configure('hanging', { delay_ms: 0, status: 410 });
    expect((await test(3, id)).body.message).toBe('The endpoint answered 410 Gone.');
    const { body: read } = await world.service.call(3, 'GET', `/v1/webhooks/${id}`);
    expect(read.webhook).toMatchObject({ active: true, failing_since: null, last_delivery_at: null });
  });

  it('400: an event type that does not exist', async () => {
    const id = await world.subscribe(4, 'unknown');
    const { status, body } = await test(4, id, { event: 'case.eaten' });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
  });

  it('404: an endpoint of another partner', async () => {
    const id = await world.subscribe(5, 'theirs');
    expect((await test(6, id)).body.code).toBe('webhook_not_found');
  });
});
