import type { Principal } from '@casewatch/contracts';
import { withoutGuard } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { codeOf, expectNoneWithoutNames, expectRefusals, named } from '../../test/support/exports.ts';
import { receipt, statusUpdated, user } from '../../test/support/fixtures.ts';
import { createStores } from '../store/stores.ts';
import { type Cases, partner, startTestCases } from '../../test/support/start-cases.ts';

const path = '/v1/client/cases.csv';
/** More than two pages. */
const count = 230;

describe('GET /v1/client/cases.csv', () => {
  let cases: Cases;
  const get = (query = '', as: Principal = named) => cases.fetch('GET', `${path}${query}`, { as });
  const rowsOf = (text: string) => parse(text, { bom: true, columns: true }) as Record<string, string>[];

  beforeAll(async () => {
    cases = await startTestCases();
    cases.members.set(9, {
      partner_id: 1,
      name: 'Maria Lopes',
      email: 'maria@firm.example',
      status: 'active',
      removed_at: null,
    });
    for (let n = 1; n <= count; n += 1) {
      cases.users.set(n, user(n, n === 2 ? { name: '=HYPERLINK("http://evil.example")' } : {}));
      const body = {
        receipt_number: receipt(n),
        uscis_access_acknowledged: true,
        first_check: 'deferred',
        description: n === 3 ? 'I-130, the "first"' : n === 4 ? "'=1+1" : '',
      };
      const made = await cases.call('POST', `/v1/client/users/${n}/cases`, { as: named, body });
      expect(made.status).toBe(201);
    }
    cases.users.set(1_000, user(1_000, { partner_id: 2 }));
    const other = {
      receipt_number: receipt(1_000),
      uscis_access_acknowledged: true,
      first_check: 'deferred',
    };
    await cases.call('POST', '/v1/client/users/1000/cases', { as: partner(2), body: other });
  });
  afterAll(() => cases.stop());

  it('has every case of the partner once, newest first, with names, and is saved as a file', async () => {
    const answer = await get();
    const { headers } = answer;
    expect([answer.status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="cases.csv"',
    ]);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const rows = rowsOf(bytes.toString());
    expect(rows.map(({ receipt_number }) => receipt_number)).toEqual(
      Array.from({ length: count }, (_, i) => receipt(count - i)),
    );
    expect(rows.every(({ email, name }) => email !== '' && name !== '')).toBe(true);
    const [of4, of3, of2] = rows.slice(-4);
    expect(of2?.name).toBe(`'=HYPERLINK("http://evil.example")`);
    expect(of3?.description).toBe('I-130, the "first"');
    expect([of4?.description, withoutGuard(of4?.description ?? '')]).toEqual(["''=1+1", "'=1+1"]);
  });

  it('reads of a case what it says of it, and not the case', async () => {
    const stores = createStores(cases.db);
    const page = {
      filter: { partner_id: 1 },
      field: 'created_at',
      direction: -1,
      after: null,
      limit: 2,
    } as const;
    const fields = (rows: readonly object[]) => rows.map((row) => Object.keys(row));
    const read = fields(await stores.cases.exportPage(page)).flat();
    expect(read).toContain('receipt_number');
    for (const field of ['words', 'attachments', 'due_on', 'uscis_access_ack_version']) {
      expect(read).not.toContain(field);
      expect(fields(await stores.cases.findPage(page))).toEqual(
        Array(2).fill(expect.arrayContaining([field])),
      );
    }
  });

  it('has the day for an answer, where it comes from, and when the answer was sent', async () => {
    const made = await cases.db
      .collection('cases')
      .find({ user_id: { $in: [11, 12, 13] } })
      .sort({ user_id: 1 })
      .toArray();
    const evidence = {
      status_code: 'Request for Additional Evidence Was Sent',
      status_description: 'On November 1, 2026, we sent a request for additional evidence.',
      category: 'evidence',
    };
    for (const { _id, user_id, receipt_number } of made) {
      const user_case_id = `FLOW${String(_id).padStart(7, '0')}`;
      const of = { id: Number(_id), user_case_id, user_id, receipt_number, partner_id: 1 };
      await cases.monitor.publish('status.updated', statusUpdated(of, evidence));
    }
    const ids = made.map(({ _id }) => _id);
    const seen = { _id: { $in: ids }, 'latest_update.category': 'evidence' };
    await waitFor(async () => (await cases.db.collection('cases').countDocuments(seen)) === 3, {
      timeoutMs: 60_000,
    });
    const date = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    for (const [i, body] of [
      [1, { respond_by: date }],
      [2, { respond_by: date, respond_done: true }],
    ] as const) {
      const changed = await cases.call('PUT', `/v1/client/cases/${ids[i]}`, { as: named, body });
      expect(changed.status).toBe(200);
    }
    const rows = rowsOf(await (await get()).text());
    const daysOf = (n: number) => {
      const { respond_by, respond_by_source, respond_done_at } =
        rows.find((row) => row.user_id === String(n)) ?? {};
      return [respond_by, respond_by_source, respond_done_at];
    };
    expect(daysOf(11)).toEqual(['2027-01-24', 'estimate', '']);
    expect(daysOf(12)).toEqual([date, 'notice', '']);
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(daysOf(13)).toEqual([date, 'notice', at]);
    expect(daysOf(14)).toEqual(['', '', '']);
  });

  it('takes the filters of the list', async () => {
    const rows = rowsOf(await (await get(`?receipt_number=${receipt(7)}`)).text());
    expect(rows.map(({ email }) => email)).toEqual([user(7).email]);
    expect(rowsOf(await (await get('?user_id=1000')).text())).toEqual([]);
    const refused = await get('?limit=5');
    expect([refused.status, await codeOf(refused)]).toEqual([400, 'unknown_parameter']);
  });

  it('is refused to a viewer, to a key without names, and to a member who signed in 16 minutes ago', async () => {
    await expectRefusals((as) => get('', as));
  });

  it('is 503 while identity is away, and breaks off if it leaves: never a file without names', async () => {
    await expectNoneWithoutNames(cases, (as) => get('', as));
    expect(rowsOf(await (await get()).text())).toHaveLength(count);
  });

  it('is recorded before the file begins', async () => {
    const recorded = () =>
      cases.db.collection('outbox').countDocuments({ body: /"operation":"export_cases".*"status":200/ });
    const before = await recorded();
    await (await get()).text();
    expect(await recorded()).toBe(before + 1);
  });
});
