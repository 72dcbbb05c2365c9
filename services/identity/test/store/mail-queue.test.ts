import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createLogger } from '@casewatch/platform';
import { type Connection, prepareModels, transaction } from '@casewatch/platform/database';
import { connectDatabase, startMongo, type TestMongo } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '../../src/context.ts';
import { findLeftMails } from '../../src/loops/find-left-mails.ts';
import { createStores } from '../../src/store/stores.ts';

let mongo: TestMongo;
let db: Connection;
// Of today: MongoDB deletes rows whose time is over.
const now = new Date();
const later = (ms: number) => new Date(now.getTime() + ms);

beforeAll(async () => {
  mongo = await startMongo();
  db = await connectDatabase(mongo.url());
});
afterAll(async () => {
  await db.close();
  await mongo.stop();
});

describe('the queue of mails', () => {
  it('gives each mail to one of many claimants, again only after the claim, and not to who lost it', async () => {
    const store = createStores(db).emailVerifications;
    await prepareModels(db);
    const delivery = await store.mails.newDelivery();
    const ids = Array.from({ length: 20 }, () => randomUUID());
    for (const [i, _id] of ids.entries()) {
      const rest = { user_id: i + 1, email_lower: 'a@example.com', void_at: null };
      const times = { created_at: now, expires_at: later(3_600_000) };
      const row = { _id, ...rest, ...times, delivery };
      await transaction(db, (session) => store.insert([row], session));
    }
    const claims = await Promise.all(Array.from({ length: 40 }, () => store.mails.claim(60_000)));
    const claimed = claims.filter((claim) => claim !== null);
    expect(new Set(claimed.map((claim) => claim.id))).toEqual(new Set(ids));
    expect(claimed).toHaveLength(20);
    expect(await store.mails.claim(60_000)).toBeNull();

    const ended = { $set: { 'delivery.next_at': new Date(Date.now() - 1_000) } };
    await db.collection('email_verifications').updateOne({ user_id: 1 }, ended);
    const again = await store.mails.claim(60_000);
    const stale = claimed.find((claim) => claim.id === again?.id);
    if (!stale || !again) throw new Error('nothing was claimed again');
    await store.mails.finish(stale, { status: 'failed' });
    expect((await store.find(again.id))?.delivery.status).toBe('queued');
    await store.mails.finish(again, { status: 'sent', sent_at: now });
    expect((await store.find(again.id))?.delivery).toMatchObject({
      status: 'sent',
      sent_at: now,
      attempts: 2,
    });
  });

  it('wakes its loop where a mail is due that no signal told of, and no other loop', async () => {
    const stores = createStores(db);
    await prepareModels(db);
    const delivery = await stores.emailChanges.mails.newDelivery();
    const times = { expires_at: later(3_600_000), delivery };
    await db.collection<{ _id: string }>('email_changes').insertOne({ _id: randomUUID(), ...times });
    // It is not due for an hour.
    const late = { ...delivery, next_at: new Date(delivery.next_at.getTime() + 3_600_000) };
    const waiting = { _id: randomUUID(), ...times, delivery: late };
    await db.collection<{ _id: string }>('login_challenges').insertOne(waiting);

    const signals: Context['signals'] = new EventEmitter();
    const woken: string[] = [];
    for (const name of [
      'loginCodes',
      'addressRequests',
      'changeMails',
      'verificationMails',
      'undoMails',
    ] as const)
      signals.on(name, () => woken.push(name));
    const isWoken = once(signals, 'undoMails');
    const loop = findLeftMails({ log: createLogger('identity', 'silent'), signals, stores });
    await isWoken;
    await loop.stop();
    expect(woken).toEqual(['undoMails']);
  });
});
