import { type Connection, prepareModels } from '@casewatch/platform/database';
import { connectDatabase, startMongo, type TestMongo } from '@casewatch/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createStores } from '../../src/store/stores.ts';

const daySeconds = 24 * 60 * 60;

let mongo: TestMongo;
let db: Connection;
beforeAll(async () => {
  mongo = await startMongo();
  db = await connectDatabase(mongo.url('expiry'));
  createStores(db);
  await prepareModels(db);
});
afterAll(async () => {
  await db.close();
  await mongo.stop();
});

it.each([
  ['events', 'intake_at', 30],
  ['deliveries', 'created_at', 30],
  ['tasks', 'created_at', 30],
  ['erased_users', 'erased_at', 400],
])('%s are deleted by the database after %s + %d days', async (name, field, days) => {
  const indexes = await db.collection(name).indexes();
  const expiring = indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
  expect(expiring).toMatchObject([{ key: { [field]: 1 }, expireAfterSeconds: days * daySeconds }]);
});
