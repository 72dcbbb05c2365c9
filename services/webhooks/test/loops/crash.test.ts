import { connectDatabase } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/delivery-world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

describe('after a crash', () => {
  it('attempts again, with the same id and bytes, what was in progress when its sender died', async () => {
    const id = await world.subscribe(1, 'crashed');
    await world.siblings.identity.publish('user.deleted', { user_id: 1, partner_id: 1, version: 2 });
    const delivered = await world.delivery(1, id, ({ status }) => status === 'delivered');
    // As a process leaves it that is killed between the call and writing down what came of it.
    const db = await connectDatabase(world.service.dbUrl);
    const died = {
      status: 'sending',
      claim: 'of the dead',
      due_at: new Date(Date.now() - 1_000),
      attempts: [],
    };
    await db.collection<{ _id: string }>('deliveries').updateOne({ _id: delivered.id }, { $set: died });
    await db.close();
    const [first, again] = await world.arrived('crashed', 2);
    expect(again?.body).toBe(first?.body);
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(again?.signature_ok).toBe(true);
    await world.delivery(1, id, ({ status }) => status === 'delivered');
  });
});
