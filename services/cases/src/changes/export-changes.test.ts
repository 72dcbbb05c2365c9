import type { Principal } from '@casewatch/contracts';
import { withoutGuard } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { codeOf, expectNoneWithoutNames, expectRefusals, named } from '../../test/support/exports.ts';
import { type CaseInEvent, receipt, statusUpdated, user } from '../../test/support/fixtures.ts';
import { type Cases, partner, startTestCases } from '../../test/support/start-cases.ts';

const path = '/v1/client/changes.csv';
const evidence = {
  status_code: 'Request for Additional Evidence Was Sent',
  status_slug: 'request_for_additional_evidence_was_sent',
  category: 'evidence',
};

/** More than two pages, of two cases in turn. */
const count = 230;
const formula = '＝HYPERLINK("http://evil.example";"x")';

describe('GET /v1/client/changes.csv', () => {
  let cases: Cases;
  let [first, second] = [] as unknown as [CaseInEvent, CaseInEvent];
  /** Newest first. */
  let ids: number[] = [];
  const updates = () => cases.db.collection<{ _id: number }>('status_updates');
  const get = (query = '', as: Principal = named) => cases.fetch('GET', `${path}${query}`, { as });
  const rowsOf = async (query = '') =>
    parse(await (await get(query)).text(), { bom: true, columns: true }) as Record<string, string>[];
  const idsOf = async (query: string) => (await rowsOf(query)).map(({ id }) => Number(id));

  async function addCase(n: number, partnerId: number, description: string): Promise<CaseInEvent> {
    cases.users.set(n, user(n, { partner_id: partnerId, name: n === 2 ? '-5' : 'Ana Silva' }));
    const receipt_number = receipt(n);
    const body = { receipt_number, uscis_access_acknowledged: true, first_check: 'deferred', description };
    const as = { ...partner(partnerId), scopes: named.scopes };
    const made = await cases.call('POST', `/v1/client/users/${n}/cases`, { as, body });
    expect(made.status).toBe(201);
    const { id, user_case_id } = made.body.case as CaseInEvent;
    return { id, user_case_id, receipt_number, user_id: n, partner_id: partnerId };
  }

  beforeAll(async () => {
    cases = await startTestCases();
    const member = { partner_id: 1, name: 'Maria Lopes', status: 'active' as const, removed_at: null };
    cases.members.set(9, member);
    first = await addCase(1, 1, formula);
    const ofMatter = { as: named, body: { reference: 'M-1', assignee_id: 9 } };
    const changed = await cases.call('PUT', `/v1/client/cases/${first.id}`, ofMatter);
    expect(changed.status).toBe(200);
    second = await addCase(2, 1, 'I-130, the "first"');
    const other = await addCase(1_000, 2, '');
    const events = Array.from({ length: count }, (_, i) =>
      statusUpdated(i % 2 ? second : first, { observation: i + 2, ...(i % 2 ? {} : evidence) }),
    );
    for (const event of [...events, statusUpdated(other)])
      await cases.monitor.publish('status.updated', event);
    await waitFor(async () => (await updates().countDocuments({})) === count + 1, { timeoutMs: 60_000 });
    ids = events.map(({ status_update: { id } }) => id).toReversed();
    // In the order in which they were published, a minute apart.
    const begin = Date.UTC(2026, 10, 1);
    await updates().bulkWrite(
      ids.map((_id, i) => ({
        updateOne: {
          filter: { _id },
          update: { $set: { 'change.at': new Date(begin - i * 60_000) } },
        },
      })),
    );
  });
  afterAll(() => cases.stop());

  it('has every change of the partner once, newest first, with names, and is saved as a file', async () => {
    const answer = await get();
    const { headers } = answer;
    expect([answer.status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="changes.csv"',
    ]);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const rows = await rowsOf();
    expect(rows.map(({ id }) => Number(id))).toEqual(ids);
    const [newest, before] = rows;
    expect(newest).toMatchObject({
      at: '2026-11-01 00:00:00',
      receipt_number: second.receipt_number,
      email: user(2).email,
      description: 'I-130, the "first"',
      reference: '',
      assignee: '',
      status: 'Case Was Approved',
      previous_status: 'Case Was Received',
      category: 'approved',
      urgent: 'false',
      already_open: 'false',
      told_by_email: 'pending',
      reviewed_at: '',
      case_ref: second.user_case_id,
      user_id: '2',
    });
    expect(before).toMatchObject({
      at: '2026-10-31 23:59:00',
      receipt_number: first.receipt_number,
      name: 'Ana Silva',
      reference: 'M-1',
      assignee: 'Maria Lopes',
      category: 'evidence',
      respond_by: '2027-01-24',
      urgent: 'true',
    });
  });

  it('has an apostrophe before what a spreadsheet would calculate, which an import takes away', async () => {
    const [newest, before] = await rowsOf();
    expect([newest?.name, before?.description]).toEqual(["'-5", `'${formula}`]);
    expect(withoutGuard(before?.description ?? '')).toBe(formula);
  });

  it('takes the filters of the list, and no other', async () => {
    const ofFirst = ids.filter((_, i) => i % 2 === 1);
    const ofSecond = ids.filter((_, i) => i % 2 === 0);
    expect(await idsOf('?category=evidence')).toEqual(ofFirst);
    expect(await idsOf('?urgent=false')).toEqual(ofSecond);
    expect(await idsOf('?assignee_id=9')).toEqual(ofFirst);
    expect(await idsOf('?since=2026-10-31T23:58:00Z')).toEqual(ids.slice(0, 3));
    expect(await idsOf('?since=2026-10-31T23:58:00Z&until=2026-10-31T23:59:00Z')).toEqual(ids.slice(1, 3));
    const [newest = 0] = ids;
    const review = { ids: [newest], reviewed: true };
    expect((await cases.call('POST', '/v1/client/changes/review', { as: named, body: review })).status).toBe(
      200,
    );
    expect(await idsOf('?reviewed=true')).toEqual([newest]);
    expect(await idsOf('?reviewed=false')).toEqual(ids.slice(1));
    for (const query of ['?limit=5', '?cursor=x', '?sort=at']) {
      const refused = await get(query);
      expect([query, refused.status, await codeOf(refused)]).toEqual([query, 400, 'unknown_parameter']);
    }
  });

  it('is refused to a viewer, to a key without names, and to a member who signed in 16 minutes ago', async () => {
    await expectRefusals((as) => get('', as));
  });

  it('is 503 while identity is away, and breaks off if it leaves: never a file without names', async () => {
    await expectNoneWithoutNames(cases, (as) => get('', as));
    expect(await rowsOf()).toHaveLength(count);
  });
});
