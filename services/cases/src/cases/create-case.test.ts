import { setTimeout as delay } from 'node:timers/promises';
import { createdCase } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { receipt, seen, user } from '../../test/support/fixtures.ts';
import { type Cases, endUser, partner, startTestCases } from '../../test/support/start-cases.ts';

describe('POST /v1/users/{user_id}/cases', () => {
  let cases: Cases;
  let userId = 0;
  const body = (over: object = {}) => ({
    receipt_number: receipt(userId),
    uscis_access_acknowledged: true,
    ...over,
  });
  const create = (over: object = {}, as = endUser(userId)) =>
    cases.call('POST', `/v1/users/${userId}/cases`, { as, body: body(over) });
  const stored = () => cases.db.collection('cases').countDocuments({ user_id: userId });

  beforeAll(async () => {
    cases = await startTestCases({ MAX_ACTIVE_CASES_PER_USER: '2' });
  });
  afterAll(async () => await cases.stop());
  beforeEach(() => {
    userId += 1;
    cases.users.set(userId, user(userId));
    cases.monitorSays(async () => seen());
  });

  it("answers 201 as the partner's creation does, and says where the user reads the case", async () => {
    const { status, headers, body: answer } = await create({ description: 'Mine' });
    expect([status, answer.code]).toEqual([201, undefined]);
    expect(Object.keys(answer)).toEqual(['success', 'message', 'case', 'status_updates', 'update_count']);
    const made = createdCase.parse(answer.case);
    expect(headers.get('location')).toBe(`/v1/users/${userId}/cases/${made.id}`);
    expect(made).toMatchObject({ user_id: userId, description: 'Mine', update_count: 1 });
    expect(answer.status_updates).toHaveLength(1);
  });

  it('records that the user acknowledged, from where, and no key', async () => {
    await create();
    expect(await cases.db.collection('acknowledgements').findOne({ user_id: userId })).toMatchObject({
      partner_id: null,
      key_id: null,
      address: '203.0.113.7',
      receipt_number: receipt(userId),
    });
  });

  it("counts the check to the user, and to the user's partner if there is one", async () => {
    await create();
    expect(cases.checks.at(-1)?.caller).toEqual({ partner_id: 1, user_id: userId });
    userId += 1;
    cases.users.set(userId, user(userId, { partner_id: null }));
    expect((await create({}, endUser(userId, null))).status).toBe(201);
    expect(cases.checks.at(-1)?.caller).toEqual({ partner_id: null, user_id: userId });
  });

  it('answers 404 for another user and for one who is gone', async () => {
    const other = await create({}, endUser(userId + 1_000));
    cases.users.delete(userId);
    for (const reply of [other, await create()])
      expect(reply).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
    expect(await stored()).toBe(0);
  });

  it('leaves time to store the case: a check that would take all of it is given up', async () => {
    cases.monitorSays(async () => {
      await delay(5_700);
      return seen();
    });
    const headers = { 'x-casewatch-time-left-ms': '6000' };
    const path = `/v1/users/${userId}/cases`;
    const reply = await cases.call('POST', path, { as: endUser(userId), body: body(), headers });
    expect(reply).toMatchObject({ status: 503, body: { code: 'uscis_unavailable' } });
    expect(await stored()).toBe(0);
  });

  it('does not take partner keys', async () => {
    expect(await create({}, partner())).toMatchObject({
      status: 403,
      body: { code: 'partner_keys_not_accepted' },
    });
  });

  it.each([
    ['a missing acknowledgement', { uscis_access_acknowledged: undefined }, 'uscis_access_not_acknowledged'],
    ['a malformed receipt number', { receipt_number: 'EAC123' }, 'invalid_receipt_number'],
    ['an unknown field', { user_id: 7 }, 'validation_failed'],
  ])('answers 400 to %s', async (_what, over, code) => {
    expect(await create(over)).toMatchObject({ status: 400, body: { code } });
    expect(await stored()).toBe(0);
  });

  it('answers 403 to a user who is switched off', async () => {
    cases.users.set(userId, user(userId, { status: 'inactive' }));
    expect(await create()).toMatchObject({ status: 403, body: { code: 'user_not_active' } });
  });

  it('answers 409 to the same receipt again, and where there is no place left', async () => {
    await create();
    expect(await create()).toMatchObject({ status: 409, body: { code: 'case_already_monitored' } });
    await create({ receipt_number: receipt(10_000 + userId) });
    const third = await create({ receipt_number: receipt(20_000 + userId) });
    expect(third).toMatchObject({ status: 409, body: { code: 'case_limit_reached' } });
  });

  it('answers 503 and stores nothing where the government cannot be asked', async () => {
    cases.monitorSays(async () => {
      throw new ApiError('uscis_unavailable', { retryAfterS: 60 });
    });
    const { status, headers } = await create();
    expect([status, headers.get('retry-after')]).toEqual([503, '60']);
    expect(await stored()).toBe(0);
  });
});
