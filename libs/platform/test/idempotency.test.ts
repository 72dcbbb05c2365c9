import {
  type Connection,
  connectMongo,
  createIdempotency,
  type Idempotency,
  transaction,
} from '@casewatch/platform';
import { startMongo, type TestMongo } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const claim = {
  caller: 'partner/1',
  operation: 'create_webhook',
  path: '/v1/webhooks',
  key: 'k',
  body: { url: 'https://a.example' },
};
const answer = {
  status: 201,
  headers: { location: '/v1/webhooks/1' },
  body: { webhook: { id: 1, secret: 'whsec_shown_once' } },
};

describe('an idempotency key', () => {
  let mongo: TestMongo;
  let db: Connection;
  let keys: Idempotency;
  let count = 0;
  beforeAll(async () => {
    mongo = await startMongo();
    db = await connectMongo(mongo.url('keys'));
    keys = createIdempotency(db, ['x'.repeat(32)]);
    await keys.prepare();
  });
  afterAll(async () => {
    await db.close();
    await mongo.stop();
  });
  const fresh = () => ({ ...claim, key: `key-${++count}` });

  async function attemptOf(made: typeof claim) {
    const begun = await keys.begin(made);
    if (!('attempt' in begun)) throw new Error('replayed');
    return begun.attempt;
  }

  it('gives the remembered answer again, and keeps it unreadable in the store', async () => {
    const made = fresh();
    const attempt = await attemptOf(made);
    await transaction(db, (session) => attempt.remember(session, answer, 7));
    await attempt.release();
    expect(await keys.begin(made)).toEqual({ replay: answer });
    expect(JSON.stringify(await db.collection('idempotency').find().toArray())).not.toContain(
      'whsec_shown_once',
    );
  });

  it('lets one of fifty at once try', async () => {
    const made = fresh();
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => keys.begin(made)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(new Set(refused)).toEqual(new Set(['idempotency_in_progress']));
  });

  it('is refused with another body, while running and after', async () => {
    const made = fresh();
    const attempt = await attemptOf(made);
    const other = { ...made, body: { url: 'https://b.example' } };
    await expect(keys.begin(other)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    await transaction(db, (session) => attempt.remember(session, answer, null));
    await expect(keys.begin(other)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('is free again after another outcome', async () => {
    const made = fresh();
    await (await attemptOf(made)).release();
    expect(await keys.begin(made)).toHaveProperty('attempt');
  });

  it('is taken over when its lease has ended, and the first try can then no longer take effect', async () => {
    const made = fresh();
    const first = await attemptOf(made);
    await db.collection('idempotency').updateMany({ answer: null }, { $set: { lease_until: new Date(0) } });
    const second = await attemptOf(made);
    await expect(transaction(db, (session) => first.remember(session, answer, null))).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
    await transaction(db, (session) => second.remember(session, answer, null));
    expect(await keys.begin(made)).toEqual({ replay: answer });
  });

  it('is another key for another caller', async () => {
    const made = fresh();
    await keys.begin(made);
    expect(await keys.begin({ ...made, caller: 'partner/2' })).toHaveProperty('attempt');
  });

  it('says so where its answer can no longer be read', async () => {
    const made = fresh();
    const attempt = await attemptOf(made);
    await transaction(db, (session) => attempt.remember(session, answer, null));
    await db
      .collection('idempotency')
      .updateMany({ answer: { $ne: null } }, { $set: { answer: 'x'.repeat(64) } });
    await expect(keys.begin(made)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('is forgotten with the user', async () => {
    const made = fresh();
    const attempt = await attemptOf(made);
    await transaction(db, (session) => attempt.remember(session, answer, 9));
    await transaction(db, (session) => keys.erase(session, 9));
    expect(await keys.begin(made)).toHaveProperty('attempt');
  });
});
