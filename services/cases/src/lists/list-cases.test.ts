import { type CaseSummary, caseSummary } from '@casewatch/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { receipt, seen, user } from '../../test/support/fixtures.ts';
import { type Cases, endUser, partner, startTestCases } from '../../test/support/start-cases.ts';

describe('GET /v1/users/{user_id}/cases', () => {
  let cases: Cases;
  const list = async (query = '', as = endUser(1), of = 1) => {
    const { status, body } = await cases.call('GET', `/v1/users/${of}/cases${query}`, { as });
    const rows = (body.cases ?? []) as CaseSummary[];
    return { status, body, rows, receipts: rows.map((row) => Number(row.receipt_number.slice(4))) };
  };

  beforeAll(async () => {
    cases = await startTestCases();
    cases.users.set(1, user(1, { preferred_language: 'pt' }));
    cases.users.set(2, user(2));
    cases.users.set(3, user(3, { partner_id: null }));
    const add = async (as: ReturnType<typeof endUser>, userId: number, n: number, over: object = {}) => {
      const body = { receipt_number: receipt(n), uscis_access_acknowledged: true, ...over };
      expect((await cases.call('POST', `/v1/users/${userId}/cases`, { as, body })).status).toBe(201);
    };
    await add(endUser(1), 1, 1, { first_check: 'deferred' });
    cases.monitorSays(async () => seen({ checked_at: '2026-11-20T08:00:00.000Z' }));
    await add(endUser(1), 1, 2);
    await add(endUser(2), 2, 3);
    await add(endUser(1), 1, 4);
    await add(endUser(3, null), 3, 5);
    const [newest] = (await list()).rows;
    const path = `/v1/users/1/cases/${newest?.id}`;
    expect((await cases.call('PUT', path, { body: { active: false } })).status).toBe(200);
  });
  afterAll(async () => await cases.stop());

  it("shows the nine fields of the user's cases, newest first, in ISO times and the user's language", async () => {
    const { status, body, rows, receipts } = await list();
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['cases', 'has_more', 'next_cursor']);
    expect(receipts).toEqual([4, 2, 1]);
    for (const row of rows) caseSummary.parse(row);
    expect(rows[1]).toMatchObject({ last_checked: '2026-11-20T08:00:00.000Z' });
    expect(rows[1]?.latest_update?.detail_message).toMatch(/^O USCIS/);
  });

  it("shows a partner its user's cases, and a direct user their own", async () => {
    expect((await list('', partner())).receipts).toEqual([4, 2, 1]);
    expect((await list('', endUser(3, null), 3)).receipts).toEqual([5]);
  });

  it('answers 404 alike for whoever is not the caller’s', async () => {
    const refused = [
      await list('', endUser(2)),
      await list('', partner(2)),
      await list('', partner(), 3),
      await list('', partner(), 999),
      await list('', endUser(999), 999),
    ];
    for (const { status, body } of refused) expect([status, body.code]).toEqual([404, 'user_not_found']);
  });

  it.each([
    ['active=false', [4]],
    ['receipt_number=eac9-000000002', [2]],
    ['category=received', [4, 2]],
    ['updated_since=2999-01-01T00:00:00Z', []],
    ['sort=last_checked', [1, 2, 4]],
    ['sort=created_at', [1, 2, 4]],
  ])('filters and sorts by %s', async (query, expected) => {
    expect((await list(`?${query}`)).receipts).toEqual(expected);
  });

  it('leads from page to page by a cursor that is good for this caller and list alone', async () => {
    const first = await list('?limit=2');
    expect(first.receipts).toEqual([4, 2]);
    expect(first.body.has_more).toBe(true);
    const next = `?limit=2&cursor=${first.body.next_cursor}`;
    expect(await list(next)).toMatchObject({ receipts: [1], body: { has_more: false, next_cursor: null } });
    for (const { status, body } of [await list(next, partner()), await list(`${next}&active=true`)])
      expect([status, body.code]).toEqual([400, 'invalid_cursor']);
  });

  it.each(['limit=0', 'user_id=1', 'sort=name'])('answers 400 to ?%s', async (query) => {
    expect((await list(`?${query}`)).status).toBe(400);
  });
});
