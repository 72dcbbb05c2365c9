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

const wasTried = ({ attempts }: Delivery) => attempts.length > 0;
const put = (partnerId: number, id: number, change: object) =>
  world.service.call(partnerId, 'PUT', `/v1/webhooks/${id}`, change);

/** An endpoint with one delivery that had its first attempt; after a failure the next one is far away. */
async function tried(partnerId: number, settings: object) {
  const hook = `held-${partnerId}`;
  const id = await world.subscribe(partnerId, hook, { events: ['user.deleted'] });
  await world.receiver.configure(hook, { headers: { 'retry-after': '3600' }, ...settings });
  await world.siblings.identity.publish('user.deleted', {
    user_id: partnerId,
    partner_id: partnerId,
    version: 2,
  });
  return { id, hook, delivery: await world.delivery(partnerId, id, wasTried) };
}

/** Lets the time of the next attempt pass. */
async function makeDue(delivery: Delivery) {
  const passed = { $set: { due_at: new Date(Date.now() - 60_000) } };
  await db.collection<{ _id: string }>('deliveries').updateOne({ _id: delivery.id }, passed);
}

describe('a delivery that gets no further attempt', () => {
  it('after 410 is cancelled and says why; it is sent when the endpoint is active again', async () => {
    const { id, hook, delivery } = await tried(1, { status: 410 });
    expect(delivery).toMatchObject({
      status: 'cancelled',
      reason: 'endpoint_gone',
      next_attempt_at: null,
      attempts: [{ status: 410, error: 'http_410', message: 'The endpoint answered 410 Gone.' }],
    });
    const isDisabled = async () =>
      (await world.service.call(1, 'GET', `/v1/webhooks/${id}`)).body.webhook?.active === false;
    await waitFor(isDisabled, { what: 'the end of the endpoint' });
    const path = `/v1/webhooks/${id}/deliveries?status=cancelled`;
    expect((await world.service.call(1, 'GET', path)).body.deliveries).toEqual([delivery]);

    await world.receiver.configure(hook, { status: 200 });
    await put(1, id, { active: true });
    const again = await world.delivery(1, id, ({ status }) => status === 'delivered');
    expect(again).toMatchObject({
      reason: null,
      attempts: [{ status: 410 }, { status: 200, manual: false }],
    });
  });

  it.each([
    [2, 'when its partner makes the endpoint inactive', { active: false }, 'endpoint_inactive'],
    [3, 'when the endpoint is disabled', null, 'endpoint_disabled'],
  ] as const)(
    '(partner %i) waits %s, and has no time that has passed',
    async (partnerId, _when, change, reason) => {
      const { id, hook, delivery } = await tried(partnerId, { status: 500 });
      expect(delivery).toMatchObject({ status: 'pending', reason: null });
      expect(Date.parse(delivery.next_attempt_at ?? '')).toBeGreaterThan(Date.parse(delivery.created_at));
      if (change) await put(partnerId, id, change);
      else {
        const gone = { active: false, disabled_at: new Date(), disabled_reason: 'failing' };
        await db.collection<{ _id: number }>('webhooks').updateOne({ _id: id }, { $set: gone });
      }
      await makeDue(delivery);
      const held = await world.delivery(partnerId, id, () => true);
      expect(held).toMatchObject({ status: 'pending', reason, next_attempt_at: null });
      const { body } = await world.service.call(
        partnerId,
        'GET',
        `/v1/webhooks/${id}/deliveries/${delivery.id}`,
      );
      expect(body.delivery).toMatchObject({ status: 'pending', reason, next_attempt_at: null });
      const path = `/v1/webhooks/${id}/deliveries/${delivery.id}/redeliver`;
      const queued = (await world.service.call(partnerId, 'POST', path)).body.delivery;
      expect(queued).toMatchObject({ status: 'pending', reason, next_attempt_at: null });

      await world.receiver.configure(hook, { status: 200 });
      await put(partnerId, id, { active: true });
      const done = await world.delivery(partnerId, id, ({ status }) => status === 'delivered');
      expect(done.reason).toBeNull();
    },
  );

  it('waits while its partner is suspended', async () => {
    const { id, hook } = await tried(4, { status: 500 });
    const told = (status: 'active' | 'suspended', version: number) =>
      world.siblings.identity.publish('partner.updated', { partner_id: 4, status, version });
    await told('suspended', 2);
    const held = await world.delivery(4, id, ({ reason }) => reason !== null);
    expect(held).toMatchObject({ status: 'pending', reason: 'partner_suspended', next_attempt_at: null });
    await world.receiver.configure(hook, { status: 200 });
    await told('active', 3);
    await world.delivery(4, id, ({ status }) => status === 'delivered');
  });

  it('is cancelled with its endpoint, and with its user', async () => {
    const subscribed = async (hook: string) => {
      const id = await world.subscribe(5, hook, { events: ['case.status_updated'] });
      await world.receiver.configure(hook, { status: 500, headers: { 'retry-after': '3600' } });
      return id;
    };
    const [kept, deleted] = [await subscribed('held-kept'), await subscribed('held-deleted')];
    const latest = observed(8_101, 2);
    const reply = caseReply({ id: 81, userId: 800, partnerId: 5, latest });
    world.siblings.knownCases.set(81, reply);
    await world.siblings.monitor.publish('status.updated', statusUpdated(reply, latest));
    for (const id of [kept, deleted]) await world.delivery(5, id, wasTried);
    await world.service.call(5, 'DELETE', `/v1/webhooks/${deleted}`);
    const { body } = await world.service.call(5, 'GET', '/v1/client/cases/81/deliveries');
    expect(body.deliveries).toContainEqual(
      expect.objectContaining({
        webhook_id: deleted,
        status: 'cancelled',
        reason: 'endpoint_deleted',
        next_attempt_at: null,
      }),
    );
    expect(body.deliveries).toContainEqual(
      expect.objectContaining({ webhook_id: kept, status: 'pending', reason: null }),
    );
    await world.siblings.identity.publish('user.deleted', { user_id: 800, partner_id: 5, version: 2 });
    const erased = await world.delivery(5, kept, ({ status }) => status === 'cancelled');
    expect(erased).toMatchObject({ reason: 'user_deleted', next_attempt_at: null });
  });
});
