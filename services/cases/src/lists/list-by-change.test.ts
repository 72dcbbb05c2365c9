import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { user } from '../../test/support/fixtures.ts';
import { type Cases, startTestCases } from '../../test/support/start-cases.ts';
import { storedDates } from '../rules/case.ts';

const partnerHas = 6_000;
const perPage = 20;
/** A list that merges ranges reads the first rows of each of them; quality.md (G10) lets a page read 300. */
const mostDocs = 4 * perPage;
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);
const filters = [
  '',
  'monitoring=paused',
  'monitoring=watched',
  'category=denied',
  'urgent=true',
  'urgent=false',
  'reference=2024-1',
  'respond_before=2026-03-01',
];
const orders = ['-created_at', 'created_at', '-last_checked', 'last_checked', '-changed_at', 'respond_by'];

/** Every third case is old: paused, and changed long ago. One in a thousand changed lately, in another order than created. */
const isPaused = (id: number) => id % 3 !== 0;
const rareIds = [1_000, 2_000, 3_000, 4_000, 5_000, 6_000].filter((id) => !isPaused(id));
const changedAt = (id: number) => (id % 1_000 === 0 ? at(1_000_000 - id) : id % 2 ? at(id) : null);

describe('GET /v1/client/cases of a partner with many cases, by change and monitoring', () => {
  let cases: Cases;
  beforeAll(async () => {
    cases = await startTestCases();
    cases.users.set(1, user(1));
    await insert(1, partnerHas);
    await cases.db.db?.command({ profile: 2 });
  });
  afterAll(async () => {
    await cases.db.db?.command({ profile: 0 });
    await cases.stop();
  });

  async function insert(first: number, count: number): Promise<void> {
    const rows = Array.from({ length: count }, (_, i) => row(first + i));
    const updates = rows.map(({ _id, latest_update }) => ({ ...latest_update, _id, case_id: _id }));
    await cases.db.collection<{ _id: number }>('cases').insertMany(rows);
    await cases.db.collection<{ _id: number }>('status_updates').insertMany(updates);
  }

  /** One page, and how many keys and documents it and its count took the database. */
  async function page(query: string) {
    const profile = cases.db.collection('system.profile');
    const began = new Date();
    const { status, body } = await cases.call('GET', `/v1/client/cases?limit=${perPage}&${query}`);
    expect(status).toBe(200);
    const reads = await profile.find({ ns: /\.cases$/, ts: { $gte: began } }).toArray();
    const found = reads.find(({ op }) => op === 'query');
    const counted = reads.find(({ command }) => command?.pipeline);
    const ids = (body.cases as { id: number }[]).map(({ id }) => id);
    const { total, total_is_exact: isExact, next_cursor: cursor } = body;
    return { ids, cursor, total, isExact, docs: found?.docsExamined, countedDocs: counted?.docsExamined };
  }

  it('sorts by the latest change, and cases that never changed come last', async () => {
    const ids: number[] = [];
    for (let cursor: unknown = ''; cursor !== null; ) {
      const query = `limit=100&sort=-changed_at${cursor && `&cursor=${cursor}`}`;
      const { body } = await cases.call('GET', `/v1/client/cases?${query}`);
      ids.push(...(body.cases as { id: number }[]).map(({ id }) => id));
      cursor = body.next_cursor;
    }
    const all = Array.from({ length: partnerHas }, (_, i) => i + 1);
    const timeOf = (id: number) => changedAt(id)?.getTime() ?? 0;
    expect(ids).toEqual(all.toSorted((one, other) => timeOf(other) - timeOf(one) || other - one));
  });

  it('sorts by the day for an answer, and cases without a day come last', async () => {
    const { ids } = await page('sort=respond_by');
    const due = (id: number) => datesOf(id).due_on;
    const all = Array.from({ length: partnerHas }, (_, i) => i + 1);
    const sorted = all.toSorted((one, other) => due(one).localeCompare(due(other)) || one - other);
    expect(ids).toEqual(sorted.slice(0, perPage));
    expect(ids.slice(0, partnerHas / 500).every((id) => id % 500 === 0)).toBe(true);
  });

  it.each(orders.flatMap((sort) => filters.map((filter) => [filter, sort])))(
    'reads what it shows and little more: %s by %s',
    async (filter, sort) => {
      const first = await page(`${filter}&sort=${sort}`);
      expect(first.ids.length).toBeGreaterThan(0);
      expect(first.docs).toBeLessThan(mostDocs);
      if (first.cursor === null) return;
      const second = await page(`${filter}&sort=${sort}&cursor=${first.cursor}`);
      expect(first.ids).not.toContain(second.ids[0]);
      expect(second.docs).toBeLessThan(mostDocs);
    },
  );

  it.each([
    ['', partnerHas],
    ['active=true', partnerHas / 3],
    ['category=denied', 6],
    ['category=denied,received', partnerHas],
    ['category=denied,evidence&active=true', rareIds.length],
    ['category=denied&active=true&updated_since=2026-01-01T00:00:00Z', rareIds.length],
    [`changed_since=${at(900_000).toISOString()}`, 6],
    ['reference=2024-1', 2],
    ['urgent=true', 6],
    ['urgent=true&active=true', rareIds.length],
    ['urgent=true&active=true&updated_since=2026-01-01T00:00:00Z', rareIds.length],
    ['monitoring=paused', (partnerHas / 3) * 2],
    ['receipt_number=EAC9000000007', 1],
    ['respond_before=2026-03-01', partnerHas / 500],
    ['respond_before=2026-02-02', 1],
    ['respond_before=2026-02-01', 0],
  ])('counts %s from an index alone', async (filter, expected) => {
    const { total, isExact, countedDocs } = await page(filter);
    expect([total, isExact, countedDocs]).toEqual([expected, true, 0]);
  });

  it('counts no more than 10,000, and not at all where no index can', async () => {
    expect(await page('user_id=1')).toMatchObject({ total: null, isExact: false });
    for (const filter of ['category=denied&monitoring=paused', 'urgent=false', 'urgent=true&user_id=1'])
      expect(await page(filter)).toMatchObject({ total: null, isExact: false });
    await insert(partnerHas + 1, 4_001);
    expect(await page('')).toMatchObject({ total: 10_000, isExact: false });
  });

  it.each([
    'category=denied,',
    'category=,',
    'sort=changed_at',
    'urgent=yes',
    'sort=-respond_by',
    'respond_before=2027-02-29',
    'respond_before=soon',
    `category=${'a,'.repeat(20)}a`,
  ])('400: %s', async (query) => {
    const { status, body } = await cases.call('GET', `/v1/client/cases?${query}`);
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
  });
});

/** An answer of one in 500 is due, on one of few days. */
function datesOf(id: number) {
  if (id % 500 !== 0) return storedDates({ respond_by: null, respond_done: null });
  const date = `2026-02-0${(id % 7) + 1}`;
  return storedDates({ respond_by: { date, source: 'estimate' }, respond_done: null });
}

function row(id: number) {
  const category = id % 1_000 === 0 ? 'denied' : 'received';
  const paused = isPaused(id);
  return {
    _id: id,
    user_id: 1,
    partner_id: 1,
    receipt_number: `EAC${String(9_000_000_000 + id)}`,
    description: '',
    reference: id % 3_000 === 0 ? '2024-1' : null,
    active: !paused,
    watched: !paused,
    watched_since: at(0),
    watched_version: 1,
    version: 1,
    created_at: at(id),
    updated_at: at(id),
    last_checked: at(id),
    changed_at: changedAt(id),
    ...datesOf(id),
    overdue_since: null,
    update_count: 1,
    latest_update: {
      id,
      kind: 'baseline',
      observation: 1,
      status_slug: 'a_title',
      history: [],
      category,
      urgent: category === 'denied',
      status_code: 'A Title',
      status_description: 'A text.',
      status_code_es: null,
      status_description_es: null,
      status_code_pt: null,
      status_description_pt: null,
      form_type: null,
      changes: [],
      touched_at: null,
      title_modified_date: null,
      timestamp: at(id),
      submitted_date: null,
      modified_date: null,
    },
    monitoring: { state: 'watched', since: at(0), next_check_at: null, revision: 0 },
    attachments: 0,
  };
}
