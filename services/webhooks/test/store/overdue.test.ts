import { type Connection, prepareModels } from '@casewatch/platform/database';
import { connectDatabase, startMongo, type TestMongo } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createStores, type Stores } from '../../src/store/stores.ts';

const circuitOpensAt = 10;
const secondMs = 1_000;

let mongo: TestMongo;
let db: Connection;
let stores: Stores;
beforeAll(async () => {
  mongo = await startMongo();
  db = await connectDatabase(mongo.url('overdue'));
  stores = createStores(db);
  await prepareModels(db);
});
afterAll(async () => {
  await db.close();
  await mongo.stop();
});

type Endpoint = { _id: number; active?: boolean; failures?: number; partner_id?: number };

/** An endpoint with a delivery that is due since this time. */
async function endpointDueFor(ms: number, endpoint: Endpoint): Promise<void> {
  const defaults = { active: true, failures: 0, partner_id: 1 };
  await db.collection<{ _id: number }>('webhooks').insertOne({ ...defaults, ...endpoint });
  await dueFor(ms, endpoint._id, 'oldest');
}

async function dueFor(ms: number, webhook_id: number, event: string): Promise<void> {
  const row = { _id: `${event}:${webhook_id}`, webhook_id, due_at: new Date(Date.now() - ms) };
  await db.collection<{ _id: string }>('deliveries').insertOne(row);
}

describe('the oldest overdue delivery', () => {
  it('is of an endpoint that may get it now', async () => {
    const age = () => stores.overdue.oldestMs({ circuitOpensAt });
    expect(await age()).toBe(0);
    await db
      .collection<{ _id: number; status: string }>('partners')
      .insertOne({ _id: 2, status: 'suspended' });
    await endpointDueFor(900 * secondMs, { _id: 1, active: false });
    await endpointDueFor(800 * secondMs, { _id: 2, failures: circuitOpensAt });
    await endpointDueFor(700 * secondMs, { _id: 3, partner_id: 2 });
    await dueFor(600 * secondMs, 99, 'of a deleted endpoint');
    await endpointDueFor(-60 * secondMs, { _id: 4 });
    expect(await age()).toBe(0);
    await endpointDueFor(20 * secondMs, { _id: 5, failures: circuitOpensAt - 1 });
    await endpointDueFor(40 * secondMs, { _id: 6 });
    await dueFor(30 * secondMs, 6, 'later');
    const oldest = await age();
    expect(oldest).toBeGreaterThanOrEqual(40 * secondMs);
    expect(oldest).toBeLessThan(60 * secondMs);
  });
});
