import { createLogger } from '@casewatch/platform';
import { prepareModels } from '@casewatch/platform/database';
import { connectDatabase, startMongo } from '@casewatch/testing';
import { expect, it } from '@jest/globals';
import { createQuotaDays } from '../../src/domain/quota-day.ts';
import { onUserDeleted } from '../../src/events/on-user-deleted.ts';
import { createStores } from '../../src/store/stores.ts';
import { at } from '../support/answers.ts';

it('erases what is recorded of the live checks of a user, and of no other', async () => {
  const mongo = await startMongo();
  const db = await connectDatabase(mongo.url('monitor'));
  const stores = createStores(db);
  await prepareModels(db);
  const now = new Date();
  const expires_at = new Date(now.getTime() + 60 * 60 * 1_000);
  for (const caller of ['user/7', 'user/77', 'partner/1/user/7', 'partner/1'])
    await stores.callerChecks.add({ caller, receipt_hash: 'hash', at: now, expires_at });
  const quotaDays = createQuotaDays('America/New_York', null);
  const accounts = ['user/7', 'user/77', 'direct'];
  for (const hours of [0, -24, -8 * 24]) {
    const { day } = quotaDays.at(at(hours));
    for (const account of accounts) await stores.callerShares.take(day, [{ account, limit: 5 }], now);
  }
  const erase = onUserDeleted({ stores, log: createLogger('monitor', 'silent') });
  const envelope = { id: '', time: now } as Parameters<typeof erase>[1];
  await erase({ user_id: 7, partner_id: null, version: 2 }, envelope);
  const left = await db.collection('caller_checks').distinct('caller');
  expect(left.sort()).toEqual(['partner/1', 'partner/1/user/7', 'user/77']);
  await erase({ user_id: 7, partner_id: 1, version: 2 }, envelope);
  expect((await db.collection('caller_checks').distinct('caller')).sort()).toEqual(['partner/1', 'user/77']);
  const days = await db.collection<{ _id: string }>('caller_days').distinct('_id');
  expect(days.filter((id) => id.endsWith('/user/7'))).toEqual([]);
  expect(days).toHaveLength(6);
  await db.close();
  await mongo.stop();
});
