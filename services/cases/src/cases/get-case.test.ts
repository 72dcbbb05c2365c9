import { operations, type Principal } from '@casewatch/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { receipt, user } from '../../test/support/fixtures.ts';
import { type Cases, endUser, partner, startTestCases } from '../../test/support/start-cases.ts';

describe('GET /v1/users/{user_id}/cases/{case_ref}', () => {
  let cases: Cases;
  let made: { id: number; user_case_id: string };
  const get = (ref: string | number, as = endUser(1), of = 1) =>
    cases.call('GET', `/v1/users/${of}/cases/${ref}`, { as });

  beforeAll(async () => {
    cases = await startTestCases();
    cases.users.set(1, user(1));
    const body = { receipt_number: receipt(1), uscis_access_acknowledged: true };
    const answer = await cases.call('POST', '/v1/users/1/cases', { as: endUser(1), body });
    made = answer.body.case as typeof made;
  });
  afterAll(async () => await cases.stop());

  it('shows the case with its user, updates, count and monitoring, in ISO times', async () => {
    const { status, body } = await get(made.id);
    expect(status).toBe(200);
    operations.get_case.success.body.parse(body);
    expect(body).toMatchObject({
      case: { id: made.id, user_id: 1, last_checked: '2026-11-20T09:00:00.000Z', user: { id: 1 } },
      status_updates: [{ kind: 'baseline', timestamp: '2026-11-20T09:00:00.000Z' }],
      update_count: 1,
      updates_cursor: null,
      monitoring: { state: 'watched', next_check_at: null },
    });
  });

  it('shows the same to the partner, by either form of the reference', async () => {
    const { body } = await get(made.id);
    const seeing = { ...partner(), scopes: ['cases:read', 'users:read'] } as Principal;
    expect((await get(made.user_case_id, seeing)).body).toEqual(body);
  });

  it('answers 404 alike for whoever may not see it', async () => {
    const refused = [
      await get(made.id, endUser(2)),
      await get(made.id, endUser(2), 2),
      await get(made.id, endUser(1), 2),
      await get(made.id, partner(2)),
      await get(999_999),
    ];
    for (const reply of refused)
      expect(reply).toMatchObject({ status: 404, body: { code: 'case_not_found' } });
  });

  it('answers 400 to a reference that cannot be one and to a forged cursor', async () => {
    expect((await get('flow1')).status).toBe(400);
    const forged = await get(`${made.id}?updates_cursor=AAAA`);
    expect(forged).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
  });
});
