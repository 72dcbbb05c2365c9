import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { receipt, user } from '../../test/support/fixtures.ts';
import { type Cases, partner, startTestCases } from '../../test/support/start-cases.ts';
import { nothingDue } from '../rules/case.ts';

const count = 60;
const perPage = 7;
const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));
const sorts = [
  '-created_at',
  'created_at',
  '-last_checked',
  'last_checked',
  '-changed_at',
  'respond_by',
] as const;
type Field = 'created_at' | 'last_checked' | 'changed_at';
type Row = { _id: number; receipt_number: string; due_on: string } & Record<Field, Date | null>;

/** Few times for many cases, so that nearly all are ties; a third was never checked, or never changed. */
const timeOf = (id: number, salt: number) => at(1 + ((id * salt) % 4));

describe('paging of GET /v1/client/cases', () => {
  let cases: Cases;
  let like: Record<string, unknown>;
  let rows: Row[];
  const stored = () => cases.db.collection<Row>('cases');

  const rowOf = (id: number): Row & Record<string, unknown> => ({
    ...like,
    _id: id,
    receipt_number: receipt(id),
    assignee_id: 7,
    words: ['common'],
    created_at: timeOf(id, 3),
    updated_at: at(10),
    last_checked: id % 3 === 0 ? null : timeOf(id, 5),
    changed_at: id % 3 === 1 ? null : timeOf(id, 7),
    due_on: id % 3 === 2 ? nothingDue : `2027-01-0${1 + ((id * 7) % 4)}`,
  });
  const page = async (query: string, cursor: unknown) => {
    const more = typeof cursor === 'string' ? `&cursor=${cursor}` : '';
    const { status, body } = await cases.call('GET', `/v1/client/cases?limit=${perPage}&${query}${more}`);
    expect(status).toBe(200);
    const ids = (body.cases as { id: number }[]).map(({ id }) => id);
    return { ids, cursor: body.next_cursor };
  };
  const sorted = (sort: string, of: readonly Row[]) => {
    const field = sort === 'respond_by' ? 'due_on' : (sort.replace('-', '') as Field);
    const sign = sort.startsWith('-') ? -1 : 1;
    const key = (row: Row) => new Date(row[field] ?? 0).getTime();
    return of
      .toSorted((one, other) => sign * (key(one) - key(other) || one._id - other._id))
      .map(({ _id }) => _id);
  };

  beforeAll(async () => {
    cases = await startTestCases();
    cases.users.set(1, user(1));
    cases.members.set(7, { partner_id: 1, name: 'Bia', status: 'active', removed_at: null });
    const body = { receipt_number: receipt(999_999), uscis_access_acknowledged: true };
    expect((await cases.call('POST', '/v1/client/users/1/cases', { as: partner(), body })).status).toBe(201);
    like = (await stored().findOne({})) as unknown as Record<string, unknown>;
  });
  afterAll(async () => await cases.stop());
  beforeEach(async () => {
    await stored().deleteMany({});
    rows = Array.from({ length: count }, (_, i) => rowOf(1_000 + i));
    await stored().insertMany(rows as never);
  });

  const filters = ['', 'assignee_id=7', 'q=comm', 'active=true', `updated_since=${at(9).toISOString()}`];
  it.each(sorts.flatMap((sort) => filters.map((filter) => [sort, filter])))(
    'shows each case once, in order, ties by id: %s %s',
    async (sort, filter) => {
      const seen: number[] = [];
      let cursor: unknown;
      do {
        const next = await page(`sort=${sort}&${filter}`, cursor);
        seen.push(...next.ids);
        cursor = next.cursor;
      } while (cursor !== null);
      expect(seen).toEqual(sorted(sort, rows));
    },
  );

  it.each(sorts)(
    'shows each case that stays where it is once, whatever comes and goes meanwhile: %s',
    async (sort) => {
      const order = sorted(sort, rows);
      const [gone, moved] = [order[20], order[40]] as [number, number];
      const seen: number[] = [];
      let cursor: unknown;
      for (let n = 0; n === 0 || cursor !== null; n++) {
        const next = await page(`sort=${sort}`, cursor);
        seen.push(...next.ids);
        cursor = next.cursor;
        if (n > 0) continue;
        // The last case of the page goes, and with it the place where the next one begins.
        await stored().deleteMany({ _id: { $in: [next.ids.at(-1) ?? 0, gone] } });
        await stored().insertMany([rowOf(500), rowOf(2_000)] as never);
        const changed = {
          created_at: at(20),
          last_checked: at(20),
          changed_at: at(20),
          due_on: '2026-12-31',
        };
        await stored().updateOne({ _id: moved }, { $set: changed });
      }
      const steady = order.filter((id) => id !== gone && id !== moved);
      expect(seen.filter((id) => steady.includes(id))).toEqual(steady);
      expect(new Set(seen).size).toBe(seen.length);
    },
  );
});
