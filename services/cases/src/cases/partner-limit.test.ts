import type { Principal } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { receipt, user } from '../../test/support/fixtures.ts';
import { type Cases, endUser, startTestCases } from '../../test/support/start-cases.ts';

const limit = 7;
const refused = {
  status: 409,
  body: {
    code: 'case_limit_reached',
    message: expect.stringMatching(/^The partner may have 7 active cases/),
  },
};

/** Partner 1 has a limit that its users do not reach alone; partner 2 has none. */
describe('the limit of active cases of a partner', () => {
  let cases: Cases;
  let last = 0;
  beforeAll(async () => {
    cases = await startTestCases({ MAX_ACTIVE_CASES_PER_USER: '100' });
    for (let id = 1; id <= 20; id += 1) cases.users.set(id, user(id));
    cases.users.set(21, user(21, { partner_id: 2 }));
    cases.users.set(22, user(22, { partner_id: null }));
    cases.caseLimits.set(1, limit);
  });
  afterAll(() => cases.stop());

  const create = (
    userId: number,
    { as = endUser(userId), ...fields }: { as?: Principal; first_check?: string } = {},
  ) => {
    last += 1;
    const body = { receipt_number: receipt(last), uscis_access_acknowledged: true, ...fields };
    return cases.call('POST', `/v1/users/${userId}/cases`, { as, body });
  };
  const set = (id: unknown, active: boolean) =>
    cases.call('PUT', `/v1/client/cases/${id}`, { body: { active } });
  const active = (partner_id = 1) =>
    cases.db.collection('cases').countDocuments({ partner_id, active: true });
  const idsOf = async (filter: object) =>
    (
      await cases.db
        .collection('cases')
        .find({ partner_id: 1, ...filter })
        .toArray()
    ).map(({ _id }) => Number(_id));

  it('lets exactly so many of 20 parallel creations of 20 users pass, and asks USCIS for no other afterwards', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => create(i + 1)));
    const counted = Map.groupBy(replies, ({ status }) => status);
    expect([counted.get(201)?.length, counted.get(409)?.length]).toEqual([limit, 20 - limit]);
    for (const reply of counted.get(409) ?? []) expect(reply).toMatchObject(refused);
    expect(await active()).toBe(limit);
    const asked = cases.checks.length;
    expect(await create(1)).toMatchObject(refused);
    expect(await create(1, { first_check: 'deferred' })).toMatchObject(refused);
    expect(cases.checks.length).toBe(asked);
  });

  it('holds for no other partner, and for nobody without one', async () => {
    for (let i = 0; i <= limit; i += 1) expect((await create(21, { as: endUser(21, 2) })).status).toBe(201);
    for (let i = 0; i <= limit; i += 1)
      expect((await create(22, { as: endUser(22, null) })).status).toBe(201);
    expect(await cases.db.collection('partner_states').countDocuments()).toBe(1);
  });

  it('counts what is resumed, alone and in bulk, and not what is paused or deleted', async () => {
    const [first, second] = await idsOf({ active: true });
    expect((await set(first, false)).status).toBe(200);
    expect((await cases.call('DELETE', `/v1/client/cases/${second}`)).status).toBe(200);
    expect((await create(2)).status).toBe(201);
    expect((await create(3)).status).toBe(201);
    expect(await set(first, true)).toMatchObject(refused);
    const body = { case_refs: [String(first)], action: 'resume' };
    const bulk = await cases.call('POST', '/v1/client/cases/bulk', { body });
    expect(bulk.body.results).toMatchObject([{ outcome: 'refused', code: 'case_limit_reached' }]);
    // What is active already stays so.
    const [other] = await idsOf({ active: true });
    expect((await set(other, true)).status).toBe(200);
    expect(await active()).toBe(limit);
  });

  it('can be raised, and set below what there is: nothing ends, and nothing is added', async () => {
    cases.caseLimits.set(1, limit + 1);
    const [paused] = await idsOf({ active: false });
    expect((await set(paused, true)).status).toBe(200);
    cases.caseLimits.set(1, 2);
    expect((await create(4)).body).toMatchObject({ code: 'case_limit_reached' });
    expect(await active()).toBe(limit + 1);
    cases.caseLimits.delete(1);
    expect((await create(4)).status).toBe(201);
  });

  it('leaves nothing of a partner that is deleted', async () => {
    await cases.identity.publish('partner.deleted', { partner_id: 1 });
    const states = cases.db.collection('partner_states');
    await waitFor(async () => (await states.countDocuments()) === 0, { what: 'the end of the state' });
  });
});
