import { type ListedCase, listedCase, type Scope } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { facts, receipt, seen, statusUpdated, user } from '../../test/support/fixtures.ts';
import { type Cases, endUser, partner, startTestCases } from '../../test/support/start-cases.ts';

const named = { ...partner(), scopes: ['cases:read', 'users:read'] as Scope[] };
const namesOf = (id: number) => ({ id, name: user(id).name, email: user(id).email });

describe('GET /v1/client/cases', () => {
  let cases: Cases;
  const list = async (query = '', as = partner()) => {
    const { status, body } = await cases.call('GET', `/v1/client/cases${query}`, { as });
    return { status, body, rows: (body.cases ?? []) as ListedCase[] };
  };
  const receipts = (rows: ListedCase[]) => rows.map((row) => Number(row.receipt_number.slice(4)));

  /** Follows the cursors to the end. */
  const walk = async (query: string): Promise<number[]> => {
    const numbers: number[] = [];
    for (let cursor = ''; ; ) {
      const { status, body, rows } = await list(`${query}${cursor && `&cursor=${cursor}`}`);
      expect(status).toBe(200);
      numbers.push(...receipts(rows));
      expect(body.has_more).toBe(body.next_cursor !== null);
      if (body.next_cursor === null) return numbers;
      cursor = String(body.next_cursor);
    }
  };

  beforeAll(async () => {
    cases = await startTestCases();
    cases.users.set(1, user(1));
    cases.users.set(2, user(2, { preferred_language: 'pt' }));
    cases.users.set(3, user(3, { partner_id: 2 }));
    const add = async (userId: number, n: number, over: object = {}) => {
      const body = { receipt_number: receipt(n), uscis_access_acknowledged: true, ...over };
      const as = partner(userId === 3 ? 2 : 1);
      expect((await cases.call('POST', `/v1/client/users/${userId}/cases`, { as, body })).status).toBe(201);
    };
    await add(1, 1, { first_check: 'deferred' });
    cases.monitorSays(async () => seen({ checked_at: '2026-11-20T08:00:00.000Z' }));
    await add(2, 2);
    const approved = facts({ status_code: 'Case Was Approved', category: 'approved' });
    cases.monitorSays(async () => seen({ checked_at: '2026-11-20T07:00:00.000Z', facts: approved }));
    await add(1, 3);
    await add(1, 4);
    await add(2, 5, { first_check: 'deferred' });
    await add(3, 6);
    const [fourth] = (await list(`?receipt_number=${receipt(4)}`)).rows;
    await cases.call('PUT', `/v1/users/1/cases/${fourth?.id}`, { body: { active: false } });
  });
  afterAll(async () => await cases.stop());

  it('shows the nine fields, user_id, reference and user of all of the partner, newest first, in partner time', async () => {
    const { status, body, rows } = await list();
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([
      'cases',
      'has_more',
      'next_cursor',
      'total',
      'total_is_exact',
      'type_more',
    ]);
    expect([body.total, body.total_is_exact]).toEqual([5, true]);
    expect(receipts(rows)).toEqual([5, 4, 3, 2, 1]);
    for (const row of rows) listedCase.parse(row);
    expect(rows[3]).toMatchObject({ last_checked: '2026-11-20 08:00:00', user_id: 2 });
    expect(rows[3]?.latest_update).toMatchObject({ timestamp: '2026-11-20 08:00:00' });
    expect(rows[4]).toMatchObject({ last_checked: null, latest_update: null });
  });

  it("speaks each user's language", async () => {
    const { rows } = await list();
    const sentence = (n: number) =>
      rows.find((row) => row.receipt_number === receipt(n))?.latest_update?.detail_message;
    expect(sentence(2)).toMatch(/^O USCIS/);
    expect(sentence(3)).toMatch(/^USCIS/);
  });

  it('names the people to a key with users:read, and to no other', async () => {
    cases.questions.length = 0;
    const { rows } = await list('', named);
    expect(rows.map(({ user: shown }) => shown)).toEqual([2, 1, 1, 2, 1].map(namesOf));
    expect(cases.questions).toEqual([
      { ids: [2, 1], fields: ['preferred_language', 'name', 'email'], partner_id: 1 },
    ]);
    const others = await list();
    expect(others.rows.map(({ user: shown }) => shown)).toEqual([null, null, null, null, null]);
    expect(JSON.stringify(others.body)).not.toContain('@example.test');
  });

  it('asks identity once for a page, for users of the partner alone', async () => {
    cases.questions.length = 0;
    await list();
    expect(cases.questions).toEqual([{ ids: [2, 1], fields: ['preferred_language'], partner_id: 1 }]);
  });

  it('shows a newer update, and then another language, in the next list', async () => {
    const query = `?receipt_number=${receipt(3)}`;
    const shown = async () => (await list(query)).rows[0];
    const made = (await shown()) as ListedCase;
    const timestamp = '2026-11-20T07:00:00.000Z';
    const change = statusUpdated({ ...made, partner_id: 1 }, { timestamp });
    await cases.monitor.publish('status.updated', change);
    const newer = await waitFor(async () => {
      const row = await shown();
      return row?.update_count === 2 && row;
    });
    expect(newer.latest_update).toMatchObject({ id: change.status_update.id });
    expect(newer.latest_update?.detail_message).toMatch(/^USCIS/);
    cases.users.set(1, user(1, { preferred_language: 'pt' }));
    expect((await shown())?.latest_update?.detail_message).toMatch(/^O USCIS/);
    cases.users.set(1, user(1));
  });

  it.each([
    ['created_at', [1, 2, 3, 4, 5]],
    ['-created_at', [5, 4, 3, 2, 1]],
    ['last_checked', [1, 5, 3, 4, 2]],
    ['-last_checked', [2, 4, 3, 5, 1]],
  ])('walks through all pages by %s, whatever their size', async (sort, expected) => {
    for (const limit of [1, 2, 3, 100]) expect(await walk(`?sort=${sort}&limit=${limit}`)).toEqual(expected);
  });

  it.each([
    ['user_id=2', [5, 2]],
    ['user_id=3', []],
    ['active=false', [4]],
    ['active=true', [5, 3, 2, 1]],
    ['category=approved', [4, 3]],
    ['receipt_number=eac9-000000002', [2]],
    ['updated_since=2999-01-01T00:00:00Z', []],
    ['updated_since=2026-01-01T00:00:00Z', [5, 4, 3, 2, 1]],
    ['user_id=1&active=true&category=approved', [3]],
  ])('filters by %s', async (filter, expected) => {
    expect(await walk(`?${filter}&limit=1`)).toEqual(expected);
  });

  it('refuses a cursor of another filter, order or caller, and a forged one', async () => {
    const { body } = await list('?limit=1');
    const cursor = String(body.next_cursor);
    const refused = [
      await list(`?limit=1&active=true&cursor=${cursor}`),
      await list(`?limit=1&sort=created_at&cursor=${cursor}`),
      await list(`?limit=1&cursor=${cursor}`, partner(2)),
      await list(`?limit=1&cursor=${cursor.slice(0, -4)}AAAA`),
    ];
    for (const { status, body: answer } of refused)
      expect([status, answer.code]).toEqual([400, 'invalid_cursor']);
    expect((await list(`?limit=3&cursor=${cursor}`)).status).toBe(200);
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=1&limit=2',
    'colour=red',
    'sort=name',
    'active=maybe',
    'user_id=1.5',
  ])('answers 400 to ?%s', async (query) => {
    expect((await list(`?${query}`)).status).toBe(400);
  });

  it('answers 401 to an end user', async () => {
    expect((await list('', endUser(1))).status).toBe(401);
  });

  // The last one: identity answers no more.
  it('is 503 where identity does not answer; a page without names is whole, and English', async () => {
    cases.setIdentityAway();
    const refused = await list('', named);
    expect([refused.status, refused.body.code]).toEqual([503, 'service_unavailable']);
    const { status, rows } = await list();
    expect(status).toBe(200);
    expect(receipts(rows)).toEqual([5, 4, 3, 2, 1]);
    for (const row of rows.filter(({ latest_update }) => latest_update))
      expect(row.latest_update?.detail_message).toMatch(/^USCIS/);
  });
});
