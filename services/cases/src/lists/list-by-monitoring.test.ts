import { monitoringState } from '@casewatch/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { user } from '../../test/support/fixtures.ts';
import { type Cases, partner, startTestCases } from '../../test/support/start-cases.ts';
import { nothingDue } from '../rules/case.ts';
import { monitoringOf } from '../rules/watching.ts';
import type { CaseRow } from '../store/cases.ts';

const at = (day: number) => new Date(Date.UTC(2026, 0, day));

/** Every combination of what decides the state of a case. */
const rows = [true, false].flatMap((watched) =>
  (['watched', 'not_found', 'rejected'] as const).flatMap((state) =>
    [null, at(10)].flatMap((overdue_since) =>
      [null, at(9), at(10), at(11)].flatMap((last_checked) =>
        [null, at(9), at(11)].map((since) => ({ watched, state, overdue_since, last_checked, since })),
      ),
    ),
  ),
);

describe('GET /v1/client/cases by monitoring state', () => {
  let cases: Cases;
  const stored = rows.map(({ state, since, ...rest }, index): CaseRow => {
    const id = index + 1;
    return {
      _id: id,
      user_id: 1,
      partner_id: 1,
      receipt_number: `EAC${String(9_000_000_000 + id)}`,
      description: '',
      assignee_id: null,
      reference: null,
      respond_by: null,
      respond_done: null,
      due_on: nothingDue,
      due_version: 0,
      active: true,
      watched_since: at(1),
      watched_version: 1,
      version: 1,
      created_at: at(1),
      updated_at: at(1),
      update_count: 0,
      changed_at: null,
      latest_update: null,
      monitoring: { state, since, next_check_at: null, revision: 1 },
      uscis_access_acknowledged_at: at(1),
      uscis_access_ack_version: '2026-01',
      attachments: 0,
      ...rest,
    };
  });

  beforeAll(async () => {
    cases = await startTestCases();
    cases.users.set(1, user(1));
    await cases.db.collection<CaseRow>('cases').insertMany(stored);
  });
  afterAll(async () => await cases.stop());

  async function idsIn(state: string): Promise<number[]> {
    const ids: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = `?limit=100&sort=created_at&monitoring=${state}${cursor && `&cursor=${cursor}`}`;
      const { status, body } = await cases.call('GET', `/v1/client/cases${query}`);
      expect(status).toBe(200);
      ids.push(...(body.cases as { id: number }[]).map(({ id }) => id));
      cursor = body.next_cursor as string | null;
    }
    return ids;
  }

  it.each(monitoringState.options)(
    '%s: lists the cases that show this state, and no other',
    async (state) => {
      const expected = stored.filter((row) => monitoringOf(row).state === state).map(({ _id }) => _id);
      expect(expected.length).toBeGreaterThan(0);
      expect(await idsIn(state)).toEqual(expected);
    },
  );

  it.each(['created_at', '-created_at', 'last_checked', '-last_checked', '-changed_at'])(
    'reads a page and no more, sorted by %s, when all are overdue; and counts them from keys alone',
    async (sort) => {
      const rows = stored.slice(0, 1).flatMap((row) =>
        Array.from({ length: 2_000 }, (_, i) => ({
          ...row,
          ...{
            _id: 10_000 + i,
            partner_id: 2,
            user_id: 2,
            watched: true,
            created_at: new Date(at(1).getTime() + i),
          },
          ...{
            last_checked: new Date(at(9).getTime() - i),
            overdue_since: at(10),
            receipt_number: `EAC${i}`,
          },
        })),
      );
      cases.users.set(2, user(2, { partner_id: 2 }));
      const collection = cases.db.collection<CaseRow>('cases');
      if ((await collection.countDocuments({ partner_id: 2 })) === 0) await collection.insertMany(rows);
      const database = cases.db.db;
      await database?.command({ profile: 2 });
      const began = new Date();
      const path = `/v1/client/cases?limit=20&sort=${sort}&monitoring=overdue`;
      const { body } = await cases.call('GET', path, { as: partner(2) });
      await database?.command({ profile: 0 });
      expect([body.total, (body.cases as unknown[]).length]).toEqual([2_000, 20]);
      const reads = await cases.db
        .collection('system.profile')
        .find({ ts: { $gte: began }, ns: /\.cases$/ })
        .toArray();
      const counts = reads.filter(({ command }) => command?.pipeline !== undefined);
      const pages = reads.filter(({ command }) => command?.pipeline === undefined);
      expect(counts.map(({ docsExamined }) => docsExamined)).toEqual([0]);
      expect(pages.map(({ docsExamined }) => docsExamined)).toEqual([21]);
    },
  );

  it('400: a state that does not exist', async () => {
    const { status, body } = await cases.call('GET', '/v1/client/cases?monitoring=lost');
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
  });
});
