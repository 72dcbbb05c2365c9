import { monitoringState } from '@casewatch/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { user } from '../../test/support/fixtures.ts';
import { type Cases, startTestCases } from '../../test/support/start-cases.ts';
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

  it('400: a state that does not exist', async () => {
    const { status, body } = await cases.call('GET', '/v1/client/cases?monitoring=lost');
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
  });
});
