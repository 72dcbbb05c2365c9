import { type CaseSummary, caseSummary } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { receipt, user } from '../../test/support/fixtures.ts';
import { type Cases, endUser, partner, startTestCases } from '../../test/support/start-cases.ts';

describe('PUT /v1/users/{user_id}/cases/{case_ref}', () => {
  let cases: Cases;
  let userId = 0;
  let made: CaseSummary;

  const create = async (n: number) => {
    const body = { receipt_number: receipt(n), uscis_access_acknowledged: true };
    return await cases.call('POST', `/v1/client/users/${userId}/cases`, { body });
  };
  const update = (body: object, { as = partner(), ref = String(made.id), of = userId } = {}) =>
    cases.call('PUT', `/v1/users/${of}/cases/${ref}`, { as, body });
  const state = () =>
    cases.db.collection<{ _id: number; version: number }>('user_states').findOne({ _id: userId });
  const row = () => cases.db.collection<{ _id: number }>('cases').findOne({ _id: made.id });

  beforeAll(async () => {
    cases = await startTestCases({ MAX_ACTIVE_CASES_PER_USER: '2' });
  });
  afterAll(async () => await cases.stop());
  beforeEach(async () => {
    userId += 1;
    cases.users.set(userId, user(userId));
    made = (await create(userId)).body.case as CaseSummary;
  });

  it('changes the description and answers the nine fields', async () => {
    const { status, body } = await update({ description: 'My mother' });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['success', 'message', 'case']);
    const changed = caseSummary.parse(body.case);
    expect(changed).toMatchObject({ id: made.id, description: 'My mother', active: true, update_count: 1 });
    expect(changed.latest_update?.id).toBe(made.latest_update?.id);
  });

  it('tells each change by case.updated with the next version', async () => {
    await update({ description: 'one' });
    await update({ active: false });
    const versions = () =>
      cases.events
        .filter(({ type, data }) => type === 'case.updated' && (data.case as { id: number }).id === made.id)
        .map(({ data: { version, watched, active } }) => ({ version, watched, active }))
        .sort((a, b) => Number(a.version) - Number(b.version));
    await waitFor(() => versions().length === 2);
    expect(versions()).toEqual([
      { version: 2, watched: true, active: true },
      { version: 3, watched: false, active: false },
    ]);
  });

  it('writes nothing where nothing changes', async () => {
    expect((await update({ description: '', active: true })).status).toBe(200);
    expect(await row()).toMatchObject({ version: 1 });
  });

  it('frees a place when a case is switched off, and takes it when it is switched on again', async () => {
    expect((await update({ active: false })).body).toMatchObject({ case: { active: false } });
    expect(await state()).toMatchObject({ active_cases: 0 });
    expect((await update({ active: true })).body).toMatchObject({ case: { active: true } });
    expect(await state()).toMatchObject({ active_cases: 1 });
    expect(await row()).toMatchObject({ watched: true, version: 3 });
  });

  it('takes the reference in both forms and the user as well as the partner', async () => {
    expect((await update({ description: 'a' }, { ref: made.user_case_id })).status).toBe(200);
    expect((await update({ description: 'b' }, { as: endUser(userId) })).status).toBe(200);
    expect(await row()).toMatchObject({ description: 'b', version: 3 });
  });

  it('answers 404 alike for whoever may not see the case', async () => {
    const refused = [
      await update({ description: 'x' }, { as: partner(2) }),
      await update({ description: 'x' }, { as: endUser(userId + 1_000) }),
      await update({ description: 'x' }, { of: userId + 1_000 }),
      await update({ description: 'x' }, { as: endUser(userId + 1_000), of: userId + 1_000 }),
      await update({ description: 'x' }, { ref: '999999' }),
      await update({ description: 'x' }, { ref: `FLOW0${made.user_case_id.slice(4)}` }),
    ];
    for (const reply of refused)
      expect(reply).toMatchObject({ status: 404, body: { code: 'case_not_found' } });
    expect(await row()).toMatchObject({ description: '', version: 1 });
  });

  it.each([
    ['an empty body', {}, 'empty_update'],
    ['an unknown field', { receipt_number: 'EAC9000000001' }, 'validation_failed'],
    ['a wrong type', { active: 'yes' }, 'validation_failed'],
  ])('answers 400 to %s', async (_what, body, code) => {
    expect(await update(body)).toMatchObject({ status: 400, body: { code } });
  });

  it('answers 403 where monitoring is wanted for a user who is not active', async () => {
    await update({ active: false });
    cases.users.set(userId, user(userId, { status: 'inactive', version: 2 }));
    expect(await update({ active: true })).toMatchObject({ status: 403, body: { code: 'user_not_active' } });
    expect((await update({ description: 'still possible' })).status).toBe(200);
  });

  it('goes by the newer word about the user, wherever it came from', async () => {
    await update({ active: false });
    const off = { user_id: userId, partner_id: 1, status: 'inactive', version: 5 } as const;
    await cases.identity.publish('user.updated', off);
    await waitFor(async () => (await state())?.version === 5);
    expect(await update({ active: true })).toMatchObject({ status: 403, body: { code: 'user_not_active' } });
  });

  it('answers 409 where the receipt is monitored by another case meanwhile', async () => {
    await update({ active: false });
    expect((await create(userId)).status).toBe(201);
    expect(await update({ active: true })).toMatchObject({
      status: 409,
      body: { code: 'case_already_monitored' },
    });
  });

  it('answers 409 where there is no place left', async () => {
    await update({ active: false });
    await create(10_000 + userId);
    await create(20_000 + userId);
    expect(await update({ active: true })).toMatchObject({
      status: 409,
      body: { code: 'case_limit_reached' },
    });
  });

  it('switches one of two cases of a receipt on when both are wanted at once', async () => {
    await update({ active: false });
    const other = (await create(userId)).body.case as CaseSummary;
    await update({ active: false }, { ref: String(other.id) });
    const both = [made, other].map(({ id }) => update({ active: true }, { ref: String(id) }));
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
    expect(await state()).toMatchObject({ active_cases: 1 });
  });
});
