import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { user } from '../../test/support/fixtures.ts';
import { type Cases, partner, startTestCases } from '../../test/support/start-cases.ts';

const perPage = 20;
/** quality.md, G10 */
const mostDocs = 10 * perPage + 100;
const firmHas = 30_000;
const at = (id: number) => new Date(Date.UTC(2026, 0, 1) + id * 1_000);
/** One in three thousand is urgent; all but every thousandth of the others are reviewed. */
const isUrgent = (id: number) => id % 3_000 === 0;
const isReviewed = (id: number) => id % 1_000 !== 0;

describe('GET /v1/client/changes of a firm with many changes', () => {
  let cases: Cases;
  beforeAll(async () => {
    cases = await startTestCases();
    cases.users.set(1, user(1));
    const body = { receipt_number: 'EAC9000000001', uscis_access_acknowledged: true };
    const made = await cases.call('POST', '/v1/client/users/1/cases', { body });
    const updates = cases.db.collection<{ _id: number }>('status_updates');
    const like = await updates.findOne({});
    const { id: case_id } = made.body.case as { id: number };
    const rows = Array.from({ length: firmHas }, (_, i) => row(like, case_id, 1_000_000 + i));
    await updates.insertMany(rows);
    await cases.db.db?.command({ profile: 2 });
  });
  afterAll(async () => {
    await cases.db.db?.command({ profile: 0 });
    await cases.stop();
  });

  async function page(query: string) {
    const began = new Date();
    const { status, body } = await cases.call('GET', `/v1/client/changes?limit=${perPage}&${query}`, {
      as: partner(1),
    });
    expect(status).toBe(200);
    const reads = await cases.db
      .collection('system.profile')
      .find({ op: 'query', ts: { $gte: began }, ns: /\.(status_updates|cases)$/ })
      .toArray();
    expect(reads.length).toBeGreaterThan(0);
    const sum = (field: string) => reads.reduce((total, read) => total + Number(read[field]), 0);
    const ids = (body.changes as { id: number }[]).map(({ id }) => id);
    return { ids, cursor: body.next_cursor, docs: sum('docsExamined'), keys: sum('keysExamined') };
  }

  const filters = [
    '',
    'urgent=true',
    'urgent=false',
    'reviewed=true',
    'reviewed=false',
    'urgent=true&reviewed=false',
    'category=denied',
    'category=denied,received',
    'category=denied&reviewed=false',
    'assignee_id=7',
    'assignee_id=7&reviewed=false',
    `since=${at(1_000_000).toISOString()}`,
    `until=${at(1_010_000).toISOString()}`,
    `since=${at(1_000_000).toISOString()}&until=${at(1_010_000).toISOString()}&reviewed=false`,
  ];
  it.each(filters.flatMap((filter) => ['-at', 'at'].map((sort) => [filter, sort])))(
    'reads what it shows and little more: %s by %s',
    async (filter, sort) => {
      const first = await page(`${filter}&sort=${sort}`);
      expect(first.ids.length).toBeGreaterThan(0);
      const second = await page(
        `${filter}&sort=${sort}&cursor=${first.cursor ?? ''}`.replace(/&cursor=$/, ''),
      );
      if (first.cursor !== null) expect(first.ids).not.toContain(second.ids[0]);
      for (const { docs, keys } of [first, second]) {
        expect(docs).toBeLessThanOrEqual(mostDocs);
        expect(keys).toBeLessThanOrEqual(mostDocs);
      }
    },
  );
});

function row(like: object | null, case_id: number, id: number) {
  const category = isUrgent(id) ? 'denied' : 'received';
  const change = {
    partner_id: 1,
    at: at(id),
    urgent: isUrgent(id),
    already_open: false,
    previous_status_code: null,
    assignee_id: id % 500 === 0 ? 7 : null,
    reviewed: isReviewed(id),
    reviewed_at: null,
    reviewed_by: null,
  };
  return { ...like, _id: id, case_id, observation: id, category, change };
}
