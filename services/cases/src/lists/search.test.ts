import type { Principal } from '@casewatch/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { receipt, user } from '../../test/support/fixtures.ts';
import { type Cases, partner, startTestCases } from '../../test/support/start-cases.ts';

/** A key that may see people, and one that may not. */
const seeing = (partnerId = 1): Principal =>
  ({ ...partner(partnerId), scopes: ['cases:read', 'cases:write', 'users:read'] }) as Principal;
const blind = partner();

const people = ['José Ramírez', 'Ana Silva', 'Eva Muñoz', 'Mei Chen'];
const matters = ['2024-118', '2025-7', null, null];
const notes = ['Green card', 'Permiso de João', 'I-130 (spouse)', ''];

describe('GET /v1/client/cases?q=', () => {
  let cases: Cases;
  const refs: string[] = [];
  const list = async (q: string, more = '', as = seeing()) => {
    const path = `/v1/client/cases?q=${encodeURIComponent(q)}&sort=created_at${more}`;
    return await cases.call('GET', path, { as });
  };
  /** Which of the people's cases are found. */
  const found = async (q: string, more = '', as = seeing()) => {
    const { status, body } = await list(q, more, as);
    expect(status).toBe(200);
    return (body.cases as { user_id: number }[]).map(({ user_id }) => people[user_id - 1]);
  };
  const create = async (userId: number, n: number, body: object = {}, as = partner()) => {
    const made = await cases.call('POST', `/v1/client/users/${userId}/cases`, {
      as,
      body: { receipt_number: receipt(n), uscis_access_acknowledged: true, ...body },
    });
    expect(made.status).toBe(201);
    return made.body.case as { id: number; user_case_id: string };
  };

  beforeAll(async () => {
    cases = await startTestCases({ MAX_ACTIVE_CASES_PER_USER: '400' });
    for (const [index, name] of people.entries()) {
      const id = index + 1;
      cases.users.set(id, user(id, { name, email: `${name.split(' ')[1]}.${id}@mail.example` }));
      const { user_case_id } = await create(id, 700_000 + id, { description: notes[index] });
      refs.push(user_case_id);
      const change = { body: { reference: matters[index] } };
      expect((await cases.call('PUT', `/v1/client/cases/${user_case_id}`, change)).status).toBe(200);
    }
    cases.users.set(50, user(50, { name: 'Ana Silva', partner_id: 2 }));
    await create(50, 800_000, { description: 'Green card' }, partner(2));
  });
  afterAll(async () => await cases.stop());

  it.each([
    ['jose', [0]],
    ['JOSÉ', [0]],
    ['muñ', [2]],
    ['silva ana', [1]],
    ['an', [1]],
    ['2024-1', [0]],
    ['118', [0]],
    ['2024/118', [0]],
    ['ramirez', [0]],
    ["jose'", [0]],
    ['eac9', [0, 1, 2, 3]],
    ['EAC-9000-700-002', [1]],
    ['joao', [1]],
    ['spouse', [2]],
    ['green', [0]],
    ['chen.4@mail.ex', [3]],
    ['flow', [0, 1, 2, 3]],
    ['ose', []],
    ['ana chen', []],
    ['.*', null],
    ['$ne', []],
  ])('%s', async (q, expected) => {
    if (expected === null) {
      const { status, body } = await list(q);
      expect([status, body.code]).toEqual([400, 'invalid_parameter']);
      return;
    }
    expect(await found(q)).toEqual(expected.map((index) => people[index]));
  });

  it('finds the FLOW reference of each case', async () => {
    for (const [index, ref] of refs.entries()) expect(await found(ref)).toContain(people[index]);
  });

  it('follows a changed description and matter number, and forgets the old ones', async () => {
    const change = (body: object) => cases.call('PUT', `/v1/client/cases/${refs[3]}`, { body });
    await change({ description: 'Naturalización', reference: 'Zeta/9' });
    expect(await found('naturalizacion')).toEqual(['Mei Chen']);
    expect(await found('zeta')).toEqual(['Mei Chen']);
    await change({ description: '', reference: null });
    expect(await found('naturalizacion')).toEqual([]);
    expect(await found('zeta')).toEqual([]);
  });

  it('finds nobody by name or address for a key that may not see people, and does not ask', async () => {
    const asked = cases.searches.length;
    for (const q of [...people, ...people.flatMap((name) => name.split(' ')), 'silva.2', 'mail.example'])
      expect([q, (await list(q, '', blind)).body]).toEqual([
        q,
        expect.objectContaining({ cases: [], total: 0, has_more: false, type_more: false }),
      ]);
    expect(cases.searches.length).toBe(asked);
    expect(await found('2024-1', '', blind)).toEqual(['José Ramírez']);
    expect(JSON.stringify((await list('2024-1', '', blind)).body)).not.toMatch(/Jos|Ram|mail\.example/);
  });

  it('never leaves out what people would find: 503 while identity is away', async () => {
    cases.setIdentityAway();
    const { status, body } = await list('2024-1');
    cases.setIdentityAway(false);
    expect([status, body.code]).toEqual([503, 'service_unavailable']);
  });

  it('keeps to its partner', async () => {
    expect(await found('green')).toEqual(['José Ramírez']);
    const { body } = await list('silva', '', seeing(2));
    expect(body).toMatchObject({ cases: [{ user_id: 50 }], total: 1 });
  });

  it('holds with other filters, counts alone, and pages by its cursor, which is of this text', async () => {
    expect(await found('eac9', '&user_id=2')).toEqual(['Ana Silva']);
    expect(await found('eac9', '&reference=2024-118')).toEqual(['José Ramírez']);
    expect((await list('eac9')).body).toMatchObject({ total: 4, total_is_exact: true, type_more: false });
    expect((await list('eac9', '&active=true')).body).toMatchObject({ total: null, total_is_exact: false });
    const first = await list('eac9', '&limit=3');
    const cursor = `&limit=3&cursor=${first.body.next_cursor}`;
    expect(await found('eac9', cursor)).toEqual(['Mei Chen']);
    expect((await list('eac', cursor)).body.code).toBe('invalid_cursor');
  });

  it('finds at most 200, and says to type more', async () => {
    const rows = cases.db.collection<{ _id: number }>('cases');
    const like = await rows.findOne({ partner_id: 1 } as object);
    const copies = Array.from({ length: 201 }, (_, i) => ({
      ...like,
      _id: 900_000 + i,
      user_id: 1,
      receipt_number: receipt(600_000 + i),
      words: ['common'],
    }));
    await rows.insertMany(copies);
    const { body } = await list('comm', '&limit=100');
    expect(body).toMatchObject({ type_more: true, total: null, total_is_exact: false, has_more: true });
    const second = await list('comm', `&limit=100&cursor=${body.next_cursor}`);
    expect(second.body).toMatchObject({ type_more: true, has_more: false });
    expect(second.body.cases).toHaveLength(100);
    await rows.deleteMany({ _id: { $gte: 900_000 } });
  });

  it('finds cases that were stored without words after the next start', async () => {
    const rows = cases.db.collection('cases');
    await rows.updateMany({}, { $unset: { words: 1 } });
    expect(await found('2024-1')).toEqual([]);
    const { database } = await import('../store/stores.ts');
    await database.prepare?.(cases.db);
    expect(await found('2024-1')).toEqual(['José Ramírez']);
    expect(await rows.countDocuments({ words: { $exists: false } })).toBe(0);
  });

  it.each([['q='], ['q=%20'], ['q=---'], [`q=${'a'.repeat(121)}`], ['q=a%0Ab']])('400: %s', async (query) => {
    const { status, body } = await cases.call('GET', `/v1/client/cases?${query}`, { as: seeing() });
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
  });
});
