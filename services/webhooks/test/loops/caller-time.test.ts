import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DeliveryRow } from '../../src/store/delivery-rows.ts';
import { startWorld, type World } from '../support/delivery-world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const perSecond = 10;
/** Deliveries before the call: the sweep, which has no time limit, wakes the queue for 2.5 s. */
const before = perSecond * 4;
/** Deliveries after the call: a call has 2.5 s. */
const after = perSecond * 3.5;
const events = before + after + perSecond * 3;

it('sending that a call has begun goes on after the time of the call', async () => {
  const id = await world.subscribe(1, 'slow', { rate_limit: perSecond });
  const { identity } = world.siblings;
  for (let user_id = 1; user_id <= events; user_id++)
    await identity.publish('user.deleted', { user_id, partner_id: 1, version: 2 });
  await world.arrived('slow', before);
  await world.service.call(1, 'PUT', `/v1/webhooks/${id}`, { description: 'Case manager' });
  await world.arrived('slow', before + after);
  await identity.publish('partner.updated', { partner_id: 1, status: 'suspended', version: 2 });
  const waiting = await waitFor(
    async () => {
      const rows = JSON.parse(await world.service.stored('deliveries')) as DeliveryRow[];
      const unsent = rows.filter(({ status }) => status !== 'delivered');
      return unsent.every(({ status }) => status === 'pending') && unsent;
    },
    { what: 'the end of the claims', timeoutMs: 6_000 },
  );
  expect(waiting.length).toBeGreaterThan(0);
  expect(waiting.map(({ attempt_count }) => attempt_count)).toEqual(waiting.map(() => 0));
}, 40_000);
