import { createHash } from 'node:crypto';
import {
  type Connection,
  createIdempotency,
  type Idempotency,
  prepareModels,
  transaction,
} from '@casewatch/platform/database';
import { connectDatabase, startMongo, type TestMongo } from '@casewatch/testing';
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

function digestOf(value: unknown, algorithm: string, encoding: 'base64url' | 'base64' | 'hex'): string {
  return createHash(algorithm).update(JSON.stringify(value)).digest(encoding);
}

describe('an idempotency key', () => {
  let mongo: TestMongo;
  let db: Connection;
  let keys: Idempotency;
  let count = 0;
  beforeAll(async () => {
    mongo = await startMongo();
    db = await connectDatabase(mongo.url('keys'));
    keys = createIdempotency(db, ['x'.repeat(32)]);
    await prepareModels(db);
  });
  afterAll(async () => {
    await db.close();
    await mongo.stop();
  });
  const fresh = () => ({ ...claim, key: `key-${++count}` });

  async function attemptOf(made: typeof claim) {
    const begun = await keys.startAttempt(made);
    if (!('attempt' in begun)) throw new Error('replayed');
    return begun.attempt;
  }

  it('gives the remembered answer again, and keeps it unreadable in the store', async () => {
    const made = fresh();
    const attempt = await attemptOf(made);
    await transaction(db, (session) => attempt.remember(session, answer, 7));
    await attempt.release();
    expect(await keys.startAttempt(made)).toEqual({ replay: answer });
    expect(JSON.stringify(await db.collection('idempotency').find().toArray())).not.toContain(
      'whsec_shown_once',
    );
  });

  it('keeps nothing of the body that can be guessed without the key', async () => {
    const made = fresh();
    await attemptOf(made);
    const stored = JSON.stringify(await db.collection('idempotency').find().toArray());
    for (const algorithm of ['sha256', 'sha1', 'md5']) {
      for (const encoding of ['base64url', 'base64', 'hex'] as const) {
        expect(stored).not.toContain(digestOf(made.body, algorithm, encoding));
      }
    }
  });

  it('knows the body after its key was replaced, as long as the former one is in the ring', async () => {
    const made = fresh();
    const attempt = await attemptOf(made);
    await transaction(db, (session) => attempt.remember(session, answer, 7));
    const rotated = createIdempotency(db, ['y'.repeat(32), 'x'.repeat(32)]);
    expect(await rotated.startAttempt(made)).toEqual({ replay: answer });
    const other = { ...made, body: { url: 'https://b.example' } };
    await expect(rotated.startAttempt(other)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('lets one of fifty at once try', async () => {
    const made = fresh();
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => keys.startAttempt(made)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(new Set(refused)).toEqual(new Set(['idempotency_in_progress']));
  });

  it('is refused with another body, while running and after', async () => {
    const made = fresh();
    const attempt = await attemptOf(made);
    const other = { ...made, body: { url: 'https://b.example' } };
    await expect(keys.startAttempt(other)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    await transaction(db, (session) => attempt.remember(session, answer, null));
    await expect(keys.startAttempt(other)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('is free again after another outcome', async () => {
    const made = fresh();
    await (await attemptOf(made)).release();
    expect(await keys.startAttempt(made)).toHaveProperty('attempt');
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
    expect(await keys.startAttempt(made)).toEqual({ replay: answer });
  });

  it('is another key for another caller', async () => {
    const made = fresh();
    await keys.startAttempt(made);
    expect(await keys.startAttempt({ ...made, caller: 'partner/2' })).toHaveProperty('attempt');
  });

  it('says so where its answer can no longer be read', async () => {
    const made = fresh();
    const attempt = await attemptOf(made);
    await transaction(db, (session) => attempt.remember(session, answer, null));
    await db
      .collection('idempotency')
      .updateMany({ answer: { $ne: null } }, { $set: { answer: 'x'.repeat(64) } });
    await expect(keys.startAttempt(made)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('is forgotten with the user', async () => {
    const made = fresh();
    const attempt = await attemptOf(made);
    await transaction(db, (session) => attempt.remember(session, answer, 9));
    await transaction(db, (session) => keys.erase(session, 9));
    expect(await keys.startAttempt(made)).toHaveProperty('attempt');
  });
});
