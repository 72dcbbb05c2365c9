import { connectDatabase, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/delivery-world.ts';
import { userOf } from '../support/fixtures.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const gone = 71;
const kept = 72;

/** What the service stores of a partner, by collection. */
async function storedOf(partnerId: number, webhookId: number): Promise<Record<string, number>> {
  const db = await connectDatabase(world.service.dbUrl);
  try {
    const count = (name: string, filter: object) => db.collection(name).countDocuments(filter);
    return {
      webhooks: await count('webhooks', { partner_id: partnerId }),
      events: await count('events', { partner_id: partnerId }),
      deliveries: await count('deliveries', { webhook_id: webhookId }),
    };
  } finally {
    await db.close();
  }
}

async function tell(partnerId: number, userId: number): Promise<void> {
  world.siblings.knownUsers.set(userId, userOf(userId, partnerId));
  const about = { user_id: userId, partner_id: partnerId, status: 'active', version: 1 } as const;
  await world.siblings.identity.publish('user.created', about);
}

it('an erased partner keeps no endpoint, event or delivery, whatever comes later or twice; another one keeps all', async () => {
  const [ofGone, ofKept] = [await world.subscribe(gone, 'gone'), await world.subscribe(kept, 'kept')];
  await tell(gone, 701);
  await tell(kept, 702);
  await Promise.all([world.arrived('gone', 1), world.arrived('kept', 1)]);
  const before = await storedOf(kept, ofKept);
  expect(await storedOf(gone, ofGone)).toEqual({ webhooks: 1, events: 1, deliveries: 1 });

  const nothing = { webhooks: 0, events: 0, deliveries: 0 };
  await world.siblings.identity.publish('partner.deleted', { partner_id: gone });
  await waitFor(async () => JSON.stringify(await storedOf(gone, ofGone)) === JSON.stringify(nothing), {
    what: 'the erasure',
    timeoutMs: 30_000,
  });
  // The events of its people come later, and the deletion again. Those of the other partner are the last.
  await world.siblings.identity.publish('user.deleted', { user_id: 701, partner_id: gone, version: 2 });
  await tell(gone, 704);
  await world.siblings.identity.publish('partner.deleted', { partner_id: gone });
  await world.siblings.identity.publish('partner.updated', {
    partner_id: gone,
    status: 'active',
    version: 99,
  });
  await world.siblings.identity.publish('user.deleted', { user_id: 703, partner_id: kept, version: 2 });
  await world.arrived('kept', 2);
  await waitFor(async () => JSON.stringify(await storedOf(gone, ofGone)) === JSON.stringify(nothing), {
    what: 'the end of what came later',
  });
  expect(await storedOf(kept, ofKept)).toEqual({ ...before, events: 2, deliveries: 2 });
  expect(await world.receiver.calls('gone')).toHaveLength(1);
});
