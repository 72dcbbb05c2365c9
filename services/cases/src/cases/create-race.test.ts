import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { receipt, seen, user } from '../../test/support/fixtures.ts';
import { type Cases, startTestCases } from '../../test/support/start-cases.ts';

describe('creating cases at the same time', () => {
  let cases: Cases;
  const create = (userId: number, n: number) =>
    cases.call('POST', `/v1/client/users/${userId}/cases`, {
      body: { receipt_number: receipt(n), uscis_access_acknowledged: true },
    });
  const tally = (statuses: number[]) => {
    const counts: Record<number, number> = {};
    for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };

  beforeAll(async () => {
    cases = await startTestCases({ MAX_ACTIVE_CASES_PER_USER: '10' });
  });
  afterAll(async () => await cases.stop());

  it('makes exactly one of 50 identical ones', async () => {
    cases.users.set(1, user(1));
    const replies = await Promise.all(Array.from({ length: 50 }, () => create(1, 1)));
    expect(tally(replies.map((reply) => reply.status))).toEqual({ 201: 1, 409: 49 });
    expect(await cases.db.collection('cases').countDocuments({ user_id: 1 })).toBe(1);
    expect(await cases.db.collection('acknowledgements').countDocuments({ user_id: 1 })).toBe(1);
    expect(await cases.db.collection('status_updates').countDocuments({})).toBe(1);
    expect(await cases.db.collection<{ _id: number }>('user_states').findOne({ _id: 1 })).toMatchObject({
      active_cases: 1,
    });
  });

  it('makes as many as are allowed of 20 different ones', async () => {
    cases.users.set(2, user(2));
    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => create(2, 100 + i)));
    expect(tally(replies.map((reply) => reply.status))).toEqual({ 201: 10, 409: 10 });
    expect(await cases.db.collection('cases').countDocuments({ user_id: 2 })).toBe(10);
  });

  /** While the government is asked: after identity's answer, before the transaction. */
  async function meanwhile(userId: number, change: () => Promise<unknown>): Promise<void> {
    cases.monitorSays(async () => {
      await change();
      await waitFor(async () => {
        const states = cases.db.collection<{ _id: number }>('user_states');
        return (await states.findOne({ _id: userId, version: 2 })) !== null;
      });
      return seen();
    });
  }

  it('makes none for a user who is switched off meanwhile', async () => {
    cases.users.set(3, user(3));
    const off = { user_id: 3, partner_id: 1, status: 'inactive', version: 2 } as const;
    await meanwhile(3, () => cases.identity.publish('user.updated', off));
    expect(await create(3, 300)).toMatchObject({ status: 403, body: { code: 'user_not_active' } });
    expect(await cases.db.collection('cases').countDocuments({ user_id: 3 })).toBe(0);
  });

  it('makes none for a user who is deleted meanwhile', async () => {
    cases.users.set(4, user(4));
    await meanwhile(4, () =>
      cases.identity.publish('user.deleted', { user_id: 4, partner_id: 1, version: 2 }),
    );
    expect(await create(4, 400)).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
    expect(await cases.db.collection('cases').countDocuments({ user_id: 4 })).toBe(0);
    expect(await cases.db.collection('acknowledgements').countDocuments({ user_id: 4 })).toBe(0);
  });
});
