import { connectDatabase, startMongo, type TestMongo } from '@casewatch/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { endSessionsBeforeProof } from '../../src/store/end-sessions-before-proof.ts';

let mongo: TestMongo;
beforeAll(async () => {
  mongo = await startMongo();
});
afterAll(() => mongo.stop());

it('ends the sessions from before the proof of the address, and no others', async () => {
  const db = await connectDatabase(mongo.url());
  try {
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 0, minute));
    const users = [
      { _id: 1, email_verified_at: at(5) },
      { _id: 2, email_verified_at: null },
    ];
    const sessions = [
      { _id: 'before', user_id: 1, signed_in_at: at(4), ended_at: null },
      { _id: 'proof', user_id: 1, signed_in_at: at(5), ended_at: null },
      { _id: 'unproven', user_id: 2, signed_in_at: at(4), ended_at: null },
      { _id: 'ended', user_id: 1, signed_in_at: at(3), ended_at: at(4) },
    ];
    await db.collection('users').insertMany(users as never[]);
    await db.collection('sessions').insertMany(sessions as never[]);
    for (const _run of [1, 2]) await endSessionsBeforeProof.run(db, new AbortController().signal);
    const rows = await db
      .collection('sessions')
      .find({ ended_at: { $ne: null } })
      .sort({ _id: 1 })
      .toArray();
    expect(rows.map(({ _id }) => String(_id))).toEqual(['before', 'ended']);
    expect(rows[0]?.delete_at.getTime() - rows[0]?.ended_at.getTime()).toBe(30 * 24 * 60 * 60 * 1000);
    expect(rows[1]?.ended_at).toEqual(at(4));
  } finally {
    await db.close();
  }
});
