import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { user } from '../../test/support/fixtures.ts';
import { type Cases, startTestCases } from '../../test/support/start-cases.ts';

const partnerHas = 6_000;
const perPage = 20;
/** Three cases of the partner are of this category, all others were received. */
const rare = 'denied';
const rareIds = [1, 3_000, 6_000];

describe('GET /v1/client/cases of a partner with many cases, by category', () => {
  let cases: Cases;
  beforeAll(async () => {
    cases = await startTestCases();
    cases.users.set(1, user(1));
    const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);
    const rows = Array.from({ length: partnerHas }, (_, i) => row(i + 1, at));
    await cases.db.collection<{ _id: number }>('cases').insertMany(rows);
    await cases.db.db?.command({ profile: 2 });
  });
  afterAll(async () => {
    await cases.db.db?.command({ profile: 0 });
    await cases.stop();
  });

  /** One page, and how many keys and documents it took the database. */
  async function page(query: string) {
    const profile = cases.db.collection('system.profile');
    const before = await profile.countDocuments();
    const { status, body } = await cases.call('GET', `/v1/client/cases?limit=${perPage}&${query}`);
    expect(status).toBe(200);
    const [read] = await profile
      .find({ op: 'query', ns: /\.cases$/ })
      .sort({ ts: -1 })
      .limit(1)
      .toArray();
    expect(await profile.countDocuments()).toBeGreaterThan(before);
    const ids = (body.cases as { id: number }[]).map(({ id }) => id);
    return { ids, cursor: body.next_cursor, keys: read?.keysExamined, docs: read?.docsExamined };
  }

  it.each([
    ['', rareIds.toReversed()],
    ['&sort=created_at', rareIds],
    ['&sort=-last_checked', rareIds.toReversed()],
    ['&sort=last_checked', rareIds],
    ['&active=true', rareIds.toReversed()],
    ['&updated_since=2026-01-01T00:00:00Z', rareIds.toReversed()],
  ])('reads what it shows and little more of a rare one%s', async (more, shown) => {
    const { ids, keys, docs } = await page(`category=${rare}${more}`);
    expect(ids).toEqual(shown);
    expect(keys).toBeLessThan(3 * perPage);
    expect(docs).toBeLessThan(3 * perPage);
  });

  it.each(['-created_at', 'created_at', '-last_checked', 'last_checked'])(
    'reads a page by the cursor of a common one, by %s',
    async (sort) => {
      const first = await page(`category=received&sort=${sort}`);
      const second = await page(`category=received&sort=${sort}&cursor=${first.cursor}`);
      expect(second.ids).toHaveLength(perPage);
      expect(first.ids).not.toContain(second.ids[0]);
      for (const { keys, docs } of [first, second]) {
        expect(keys).toBeLessThan(3 * perPage);
        expect(docs).toBeLessThan(3 * perPage);
      }
    },
  );
});

function row(id: number, at: (seconds: number) => Date) {
  const category = rareIds.includes(id) ? rare : 'received';
  const texts = { status_code: 'A Title', status_description: 'A text.', form_type: 'I-765' };
  const translations = {
    status_code_es: null,
    status_description_es: null,
    status_code_pt: null,
    status_description_pt: null,
  };
  const dates = {
    timestamp: at(id),
    submitted_date: null,
    modified_date: null,
    title_modified_date: null,
    touched_at: null,
  };
  const observed = {
    kind: 'baseline',
    observation: 1,
    status_slug: 'a_title',
    history: [],
    category,
    changes: [],
  };
  return {
    _id: id,
    user_id: 1,
    partner_id: 1,
    receipt_number: `EAC${String(9_000_000_000 + id)}`,
    description: '',
    active: true,
    watched: true,
    watched_since: at(0),
    version: 1,
    created_at: at(id),
    updated_at: at(id),
    last_checked: at(id),
    overdue_since: null,
    update_count: 1,
    latest_update: { id, ...observed, ...texts, ...translations, ...dates },
    monitoring: { state: 'watched', since: at(0), next_check_at: null, revision: 0 },
    attachments: 0,
  };
}
