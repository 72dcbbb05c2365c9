import { ApiError } from '@casewatch/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { receipt, seen, user } from '../../test/support/fixtures.ts';
import { type Cases, endUser, partner, startTestCases } from '../../test/support/start-cases.ts';

describe('POST /v1/client/users/{user_id}/cases, refused', () => {
  let cases: Cases;
  let next = 0;
  let userId = 0;
  const body = (over: object = {}) => ({
    receipt_number: receipt(next),
    uscis_access_acknowledged: true,
    ...over,
  });
  const create = (over: object = {}, as = partner()) =>
    cases.call('POST', `/v1/client/users/${userId}/cases`, { as, body: body(over) });
  const stored = () => cases.db.collection('cases').countDocuments({ user_id: userId });

  beforeAll(async () => {
    cases = await startTestCases();
  });
  afterAll(async () => await cases.stop());
  beforeEach(() => {
    next += 1;
    userId = next;
    cases.users.set(userId, user(userId, { preferred_language: 'es' }));
    cases.monitorSays(async () => seen());
  });

  it('refuses with 400 what the government refuses, in its words', async () => {
    const checked_at = '2026-11-20T09:00:00.000Z';
    cases.monitorSays(async () => ({ outcome: 'rejected', message: 'Invalid prefix.', checked_at }));
    const { status, body: answer } = await create();
    expect(status).toBe(400);
    expect(answer).toMatchObject({ success: false, code: 'receipt_number_rejected' });
    expect(answer.message).toContain('Invalid prefix.');
    expect(await stored()).toBe(0);
  });

  it.each([
    ['a missing acknowledgement', { uscis_access_acknowledged: undefined }, 'uscis_access_not_acknowledged'],
    [
      'an acknowledgement that says no',
      { uscis_access_acknowledged: false },
      'uscis_access_not_acknowledged',
    ],
    ['a malformed receipt number', { receipt_number: 'EAC123' }, 'invalid_receipt_number'],
    ['an unknown field', { active: true }, 'validation_failed'],
    ['a description that is too long', { description: 'x'.repeat(256) }, 'validation_failed'],
  ])('answers 400 to %s', async (_what, over, code) => {
    expect(await create(over)).toMatchObject({ status: 400, body: { success: false, code } });
    expect(await stored()).toBe(0);
  });

  it('answers 401 to an end user and 403 to a key without the scope', async () => {
    expect((await create({}, endUser(userId))).status).toBe(401);
    const reader = { kind: 'partner', partner_id: 1, key_id: 'key-1', scopes: ['cases:read'] } as const;
    const refused = await create({}, { ...reader, scopes: [...reader.scopes] });
    expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  });

  it.each(['inactive', 'suspended'] as const)('answers 403 where the user is %s', async (status) => {
    cases.users.set(userId, user(userId, { status }));
    expect(await create()).toMatchObject({ status: 403, body: { code: 'user_not_active' } });
    expect(await stored()).toBe(0);
  });

  it('answers 404 alike for a user that does not exist and for one of another partner', async () => {
    const other = await create({}, partner(2));
    cases.users.delete(userId);
    const unknown = await create();
    for (const reply of [other, unknown]) expect(reply.status).toBe(404);
    const told = ({ body: { code, message, title } }: typeof other) => ({ code, message, title });
    expect(told(other)).toEqual(told(unknown));
    expect(told(unknown).code).toBe('user_not_found');
  });

  it('answers 409 to the same receipt again, without asking the government', async () => {
    await create();
    const before = cases.checks.length;
    const again = await create();
    expect(again).toMatchObject({ status: 409, body: { code: 'case_already_monitored', title: 'Conflict' } });
    expect(cases.checks).toHaveLength(before);
  });

  it('lets two users have the same receipt', async () => {
    await create();
    const receipt_number = receipt(next);
    userId += 1_000_000;
    cases.users.set(userId, user(userId));
    expect((await create({ receipt_number })).status).toBe(201);
  });

  it('answers 409 where the user has as many active cases as are allowed', async () => {
    for (let i = 1; i <= 5; i += 1) {
      expect((await create({ receipt_number: receipt(100_000 * next + i) })).status).toBe(201);
    }
    const before = cases.checks.length;
    expect(await create()).toMatchObject({ status: 409, body: { code: 'case_limit_reached' } });
    expect(cases.checks).toHaveLength(before);
  });

  it('answers 429 with the time to wait where the share of live checks is spent', async () => {
    cases.monitorSays(async () => {
      throw new ApiError('rate_limited', { retryAfterS: 1_800 });
    });
    const { status, headers } = await create();
    expect([status, headers.get('retry-after')]).toEqual([429, '1800']);
  });

  it('answers 503 with Retry-After and stores nothing where the government cannot be asked', async () => {
    cases.monitorSays(async () => {
      throw new ApiError('uscis_unavailable', { retryAfterS: 60 });
    });
    const { status, headers, body: answer } = await create();
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('60');
    expect(answer).toMatchObject({ code: 'uscis_unavailable', retryable: true });
    expect(await stored()).toBe(0);
    expect(await cases.db.collection('acknowledgements').countDocuments({ user_id: userId })).toBe(0);
  });
});
