import type { CreatedCase } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { receipt, statusUpdated, user } from '../../test/support/fixtures.ts';
import { type Cases, endUser, partner, startTestCases } from '../../test/support/start-cases.ts';

describe('DELETE /v1/users/{user_id}/cases/{case_ref}', () => {
  let cases: Cases;
  let userId = 0;
  let made: CreatedCase;
  const path = () => `/v1/users/${userId}/cases/${made.id}`;
  const remove = (as = endUser(userId)) => cases.call('DELETE', path(), { as });
  const count = (collection: string, filter: object) =>
    cases.db.collection(collection).countDocuments(filter);
  const state = () =>
    cases.db.collection<{ _id: number; active_cases: number }>('user_states').findOne({ _id: userId });
  const create = async () => {
    const body = { receipt_number: receipt(userId), uscis_access_acknowledged: true };
    const answer = await cases.call('POST', `/v1/users/${userId}/cases`, { as: endUser(userId), body });
    expect(answer.status).toBe(201);
    return answer.body.case as CreatedCase;
  };

  beforeAll(async () => {
    cases = await startTestCases();
  });
  afterAll(async () => await cases.stop());
  beforeEach(async () => {
    userId += 1;
    cases.users.set(userId, user(userId));
    made = await create();
  });

  it('answers 200 once, then 404', async () => {
    const { status, body } = await remove();
    expect([status, body]).toEqual([
      200,
      { success: true, message: 'Case deleted. It is no longer monitored.' },
    ]);
    expect(await remove()).toMatchObject({ status: 404, body: { code: 'case_not_found' } });
    expect((await cases.call('GET', path(), { as: endUser(userId) })).status).toBe(404);
  });

  it('erases case and updates and frees the place', async () => {
    await remove();
    expect(await count('cases', { _id: made.id })).toBe(0);
    expect(await count('status_updates', { case_id: made.id })).toBe(0);
    expect(await state()).toMatchObject({ active_cases: 0 });
    expect((await create()).id).not.toBe(made.id);
    expect(await state()).toMatchObject({ active_cases: 1 });
  });

  it('frees no place where the case had none', async () => {
    await cases.call('PUT', path(), { body: { active: false } });
    expect((await remove()).status).toBe(200);
    expect(await state()).toMatchObject({ active_cases: 0 });
  });

  it('keeps the acknowledgement without user, receipt and address', async () => {
    await remove();
    expect(await cases.db.collection('acknowledgements').findOne({ case_id: made.id })).toMatchObject({
      version: '2026-11',
      acknowledged_at: new Date(made.uscis_access_acknowledged_at),
      user_id: null,
      receipt_number: null,
      address: null,
    });
  });

  it('tells its end by case.deleted with the next version', async () => {
    await cases.call('PUT', path(), { body: { description: 'changed' } });
    await remove();
    const told = await waitFor(() =>
      cases.events.find(
        ({ type, data }) => type === 'case.deleted' && (data.case as CreatedCase).id === made.id,
      ),
    );
    expect(told.data).toMatchObject({
      case: { id: made.id, user_id: userId, receipt_number: receipt(userId), partner_id: 1 },
      version: 3,
    });
  });

  it('happens once when it is asked for ten times at once, while an update arrives', async () => {
    const { id, user_case_id, receipt_number } = made;
    const change = statusUpdated({ id, user_case_id, receipt_number, user_id: userId, partner_id: 1 });
    const published = cases.monitor.publish('status.updated', change);
    const replies = await Promise.all(Array.from({ length: 10 }, () => remove()));
    await published;
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
    expect(await state()).toMatchObject({ active_cases: 0 });
    expect(await count('status_updates', { case_id: made.id })).toBe(0);
  });

  it('answers 404 for the case of somebody else and does not take partner keys', async () => {
    expect(await remove(endUser(userId + 1_000))).toMatchObject({
      status: 404,
      body: { code: 'case_not_found' },
    });
    expect(await remove(partner())).toMatchObject({
      status: 403,
      body: { code: 'partner_keys_not_accepted' },
    });
    expect(await count('cases', { _id: made.id })).toBe(1);
  });
});
