import { type Connection, prepareModels, transaction } from '@casewatch/platform/database';
import { connectDatabase, startMongo, type TestMongo } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newSession } from '../../src/domain/session.ts';
import { createStores, type Stores } from '../../src/store/stores.ts';

let mongo: TestMongo;
let db: Connection;
let stores: Stores;
const day = 24 * 60 * 60 * 1000;
// Of today: MongoDB deletes rows whose time is over.
const now = new Date();
const later = (ms: number) => new Date(now.getTime() + ms);

beforeAll(async () => {
  mongo = await startMongo();
  db = await connectDatabase(mongo.url());
  stores = createStores(db);
  await prepareModels(db);
});
afterAll(async () => {
  await db.close();
  await mongo.stop();
});

/** The field by which the database itself deletes rows of a collection, and how many seconds after it. */
async function expiryOf(collection: string): Promise<[string, number][]> {
  const indexes = await db.collection(collection).indexes();
  return indexes.flatMap(({ key, expireAfterSeconds: after }) =>
    after === undefined ? [] : [[Object.keys(key)[0] ?? '', after] as [string, number]],
  );
}

describe('what is kept, and how long', () => {
  it.each([
    ['login_challenges', 'created_at', 86_400],
    ['sessions', 'delete_at', 0],
    ['staff_sessions', 'delete_at', 0],
    ['staff_invitations', 'expires_at', 0],
    ['staff_notices', 'expires_at', 0],
    ['reply_to_requests', 'expires_at', 0],
    ['welcomes', 'expires_at', 0],
    ['audit', 'at', 365 * 86_400],
    ['sign_in_places', 'at', 30 * 86_400],
    ['email_changes', 'expires_at', 0],
    ['email_verifications', 'expires_at', 7 * 86_400],
    ['address_requests', 'expires_at', 0],
    ['rate_limits', 'expires_at', 0],
    ['erased_users', 'erased_at', 400 * 86_400],
  ])('%s: deleted by the database by %s + %d s', async (collection, field, seconds) => {
    expect(await expiryOf(collection)).toEqual([[field, seconds]]);
  });

  it('a session: 30 days after its end, whichever end comes first', async () => {
    const deleteAt = async () => (await db.collection('sessions').findOne({}))?.delete_at as Date;
    const session = newSession({
      id: 's',
      user: { _id: 1, partner_id: null },
      pepperId: 'p',
      now,
    });
    await transaction(db, (tx) => stores.sessions.insert(session, tx));
    expect(await deleteAt()).toEqual(later((14 + 30) * day));
    await stores.sessions.rotate(session, { now: later(day), idleExpiresAt: later(15 * day), pepperId: 'p' });
    expect(await deleteAt()).toEqual(later((15 + 30) * day));
    await transaction(db, (tx) => stores.sessions.end('s', later(2 * day), tx));
    expect(await deleteAt()).toEqual(later((2 + 30) * day));
    await transaction(db, (tx) => stores.sessions.endAll(1, null, later(3 * day), tx));
    expect(await deleteAt()).toEqual(later((2 + 30) * day));
  });
});
