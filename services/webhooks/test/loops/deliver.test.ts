import type { Delivery } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { startWorld, type World } from '../support/delivery-world.ts';
import { caseReply, observed, reference, statusUpdated } from '../support/fixtures.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ totalMs: 300 });
});
afterAll(() => world.stop());

/** One event of a partner; every one is a case of its own, named by the partner. */
async function tell(partnerId: number): Promise<void> {
  const known = caseReply({ id: partnerId, userId: partnerId, partnerId });
  world.siblings.knownCases.set(partnerId, known);
  const state = {
    case: reference(known),
    watched: true,
    active: true,
    version: 1,
    assignee_id: null,
    respond_by: null,
  };
  await world.siblings.cases.publish('case.updated', state);
}

const isDelivered = ({ status }: Delivery) => status === 'delivered';
const wasTried = ({ attempts }: Delivery) => attempts.length > 0;

async function deliveriesOf(partnerId: number, webhookId: number) {
  const { body } = await world.service.call(partnerId, 'GET', `/v1/webhooks/${webhookId}/deliveries`);
  return body.deliveries ?? [];
}

async function webhookOf(partnerId: number, webhookId: number) {
  return (await world.service.call(partnerId, 'GET', `/v1/webhooks/${webhookId}`)).body.webhook;
}

/** The endpoint once it shows how it fares: that is noted just after the delivery. */
async function noted(partnerId: number, webhookId: number, status: number, failingSince: string | null) {
  return await waitFor(async () => {
    const webhook = await webhookOf(partnerId, webhookId);
    return webhook?.last_status === status && webhook.failing_since === failingSince && webhook;
  });
}

describe('deliveries', () => {
  it('sends a status change at once, signed so that the standard package verifies it', async () => {
    const body = {
      url: world.receiver.urlOf('signed'),
      events: ['case.*'],
      headers: { 'X-Api-Key': 'ours' },
    };
    const { body: created } = await world.service.call(1, 'POST', '/v1/webhooks', body);
    const { id = 0 } = created.webhook ?? {};
    const secret = String(created.webhook?.secret);
    const update = observed(501, 2);
    const known = caseReply({ id: 1, userId: 1, partnerId: 1, latest: update });
    world.siblings.knownCases.set(1, known);
    const started = Date.now();
    const busId = await world.siblings.monitor.publish('status.updated', statusUpdated(known, update));
    const [call] = await world.arrived('signed', 1);
    expect(Date.now() - started).toBeLessThan(2_000);
    const verified = new Webhook(secret).verify(call?.body ?? '', call?.headers ?? {});
    expect(verified).toMatchObject({ id: `evt_${busId}`, type: 'case.status_updated' });
    expect(() => new Webhook(secret).verify(`${call?.body} `, call?.headers ?? {})).toThrow();
    expect(call?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Casewatch-Webhooks/1',
      'webhook-id': `evt_${busId}`,
      'x-api-key': 'ours',
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
    });
    await world.delivery(1, id, isDelivered);
    expect(await deliveriesOf(1, id)).toEqual([
      {
        id: `evt_${busId}:${id}`,
        event_id: `evt_${busId}`,
        event: 'case.status_updated',
        case: { id: 1, receipt_number: known.case.receipt_number, user_case_id: known.case.user_case_id },
        status: 'delivered',
        attempts: [
          {
            at: expect.any(String),
            status: 200,
            ms: expect.any(Number),
            error: null,
            message: null,
            manual: false,
          },
        ],
        reason: null,
        next_attempt_at: null,
        created_at: expect.any(String),
      },
    ]);
  });

  it('tries again with the same id and bytes until it is taken', async () => {
    const id = await world.subscribe(2, 'retried');
    await world.receiver.configure('retried', { status: 500 });
    await tell(2);
    await world.arrived('retried', 2);
    await world.receiver.configure('retried', { status: 200 });
    const delivery = await world.delivery(2, id, isDelivered);
    const calls = await world.receiver.calls('retried');
    expect(new Set(calls.map((call) => call.body)).size).toBe(1);
    expect(new Set(calls.map((call) => call.headers['webhook-id'])).size).toBe(1);
    expect(calls.every((call) => call.signature_ok)).toBe(true);
    expect(delivery.attempts.map(({ status, error }) => [status, error])).toEqual([
      ...Array.from({ length: calls.length - 1 }, () => [500, 'http_500']),
      [200, null],
    ]);
    expect(await noted(2, id, 200, null)).toMatchObject({ success_rate_24h: 1 });
  });

  it('shows that an endpoint fails, since when, and when the next attempt is', async () => {
    const id = await world.subscribe(3, 'failing');
    await world.receiver.configure('failing', { status: 503, headers: { 'retry-after': '60' } });
    await tell(3);
    const delivery = await world.delivery(3, id, wasTried);
    // Retry-After is obeyed up to the base delay and two hours, here a thousandth of them.
    const waitMs = Date.parse(delivery.next_attempt_at ?? '') - Date.parse(delivery.attempts[0]?.at ?? '');
    expect(waitMs).toBeGreaterThanOrEqual(7_205);
    expect(waitMs).toBeLessThan(9_000);
    const since = delivery.attempts[0]?.at ?? null;
    expect(await noted(3, id, 503, since)).toMatchObject({ active: true, success_rate_24h: 0 });
  });

  it('does not follow redirects', async () => {
    const id = await world.subscribe(4, 'redirecting');
    const location = world.receiver.urlOf('elsewhere');
    await world.receiver.configure('redirecting', { status: 302, headers: { location } });
    await tell(4);
    await world.arrived('redirecting', 2);
    expect((await deliveriesOf(4, id))[0]?.attempts[0]).toMatchObject({
      status: 302,
      error: 'redirect_not_followed',
    });
    expect(await world.receiver.calls('elsewhere')).toEqual([]);
  });

  it('gives up waiting for an endpoint that hangs, and others do not wait for it', async () => {
    const hanging = await world.subscribe(5, 'hanging');
    const quick = await world.subscribe(5, 'quick');
    await world.receiver.configure('hanging', { delay_ms: 5_000 });
    await tell(5);
    await world.delivery(5, quick, isDelivered);
    expect((await deliveriesOf(5, hanging))[0]?.attempts).toEqual([]);
    const delivery = await world.delivery(5, hanging, wasTried);
    expect(delivery.attempts[0]).toMatchObject({ status: null, error: 'timeout' });
    expect(delivery.attempts[0]?.ms).toBeGreaterThanOrEqual(290);
  });

  it('switches an endpoint off that answers 410, tells the others, and sends what it refused when it is on again', async () => {
    const gone = await world.subscribe(6, 'gone');
    await world.receiver.configure('gone', { status: 410 });
    await world.subscribe(6, 'other', { events: ['webhook.disabled'] });
    await tell(6);
    const [told] = await world.arrived('other', 1);
    expect(told?.signature_ok).toBe(true);
    expect(JSON.parse(told?.body ?? '')).toMatchObject({
      type: 'webhook.disabled',
      data: { webhook: { id: gone, active: false, disabled_reason: 'gone' } },
    });
    expect(await webhookOf(6, gone)).toMatchObject({ active: false, last_status: 410 });
    await world.receiver.configure('gone', { status: 200 });
    const path = `/v1/webhooks/${gone}`;
    const { body } = await world.service.call(6, 'PUT', path, { active: true });
    expect(body.webhook).toMatchObject({ active: true, disabled_at: null, disabled_reason: null });
    const refused = await world.delivery(6, gone, isDelivered);
    expect(refused.attempts.map(({ status }) => status)).toEqual([410, 200]);
  });

  it('names a refused connection and cancels what was to be sent when the endpoint is deleted', async () => {
    const { body } = await world.service.call(7, 'POST', '/v1/webhooks', {
      url: 'http://127.0.0.1:1/',
      events: ['*'],
    });
    const id = body.webhook?.id ?? 0;
    await tell(7);
    const delivery = await world.delivery(7, id, wasTried);
    expect(delivery.attempts[0]).toMatchObject({ status: null, error: 'connect_refused' });
    expect((await world.service.call(7, 'DELETE', `/v1/webhooks/${id}`)).status).toBe(200);
    const stored = JSON.parse(await world.service.stored('deliveries')) as { _id: string; status: string }[];
    expect(stored.find((row) => row._id === delivery.id)?.status).toBe('cancelled');
  });

  it('holds the deliveries of a suspended partner until it is active again', async () => {
    const id = await world.subscribe(8, 'held');
    const { identity } = world.siblings;
    await identity.publish('partner.updated', { partner_id: 8, status: 'suspended', version: 2 });
    await identity.publish('partner.updated', { partner_id: 8, status: 'active', version: 1 });
    await world.subscribe(9, 'after-suspension');
    await identity.publish('user.deleted', { user_id: 99, partner_id: 9, version: 3 });
    await world.arrived('after-suspension', 1); // The same stream, in order: the suspension is known.
    await tell(8);
    await tell(9);
    await world.arrived('after-suspension', 2);
    await world.delivery(8, id, ({ status }) => status === 'pending');
    expect(await world.receiver.calls('held')).toEqual([]);
    await identity.publish('partner.updated', { partner_id: 8, status: 'active', version: 3 });
    await world.arrived('held', 1);
  });
});
