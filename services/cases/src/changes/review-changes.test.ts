import type { Principal } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CaseInEvent, receipt, statusUpdated, user } from '../../test/support/fixtures.ts';
import { type Cases, endUser, partner, startTestCases } from '../../test/support/start-cases.ts';

const byKey = (key_id: string, partnerId = 1): Principal => ({ ...partner(partnerId), key_id }) as Principal;

describe('POST /v1/client/changes/review', () => {
  let cases: Cases;
  let n = 0;
  let ids: number[];

  const review = (body: unknown, as = byKey('7')) =>
    cases.call('POST', '/v1/client/changes/review', { as, body });
  const stateOf = async (as = byKey('7')) => {
    const { body } = await cases.call('GET', '/v1/client/changes', { as });
    const rows = body.changes as { id: number; reviewed_at: string | null; reviewed_by: unknown }[];
    return ids.map((id) => {
      const { reviewed_at, reviewed_by } = rows.find((row) => row.id === id) ?? {};
      return { reviewed_at, reviewed_by };
    });
  };

  beforeAll(async () => {
    cases = await startTestCases({ MAX_ACTIVE_CASES_PER_USER: '100' });
    cases.users.set(1, user(1));
  });
  afterAll(async () => await cases.stop());
  beforeEach(async () => {
    n += 1;
    const body = { receipt_number: receipt(n), uscis_access_acknowledged: true };
    const made = await cases.call('POST', '/v1/client/users/1/cases', { body });
    const { id, user_case_id, receipt_number } = made.body.case as CaseInEvent;
    const of = { id, user_case_id, receipt_number, user_id: 1, partner_id: 1 };
    const events = [2, 3].map((observation) => statusUpdated(of, { observation }));
    for (const event of events) await cases.monitor.publish('status.updated', event);
    ids = events.map(({ status_update }) => status_update.id);
    await waitFor(async () => (await stateOf()).every(({ reviewed_at }) => reviewed_at === null));
  });

  it('marks changes for the whole firm, once: who came first stays', async () => {
    const first = await review({ ids: [ids[0]], reviewed: true });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      success: true,
      message: expect.any(String),
      changes: [{ id: ids[0], reviewed_at: expect.any(String), reviewed_by: { kind: 'key', id: 7 } }],
    });
    const [seen, other] = await stateOf(byKey('8'));
    expect(seen?.reviewed_by).toEqual({ kind: 'key', id: 7, name: null });
    expect(other).toEqual({ reviewed_at: null, reviewed_by: null });
    const second = await review({ ids, reviewed: true }, byKey('8'));
    const { changes } = second.body as { changes: { reviewed_at: string; reviewed_by: { id: number } }[] };
    expect(changes.map(({ reviewed_by }) => reviewed_by.id)).toEqual([7, 8]);
    const { changes: before } = first.body as { changes: { reviewed_at: string }[] };
    expect(changes[0]?.reviewed_at).toBe(before[0]?.reviewed_at);
  });

  it('marks them as not reviewed again, and twice is once', async () => {
    await review({ ids, reviewed: true });
    for (let i = 0; i < 2; i++) {
      const { status, body } = await review({ ids: [ids[1], ids[1]], reviewed: false });
      expect(status).toBe(200);
      expect(body.changes).toEqual([{ id: ids[1], reviewed_at: null, reviewed_by: null }]);
    }
    const [first, second] = await stateOf();
    expect(first?.reviewed_by).toEqual({ kind: 'key', id: 7, name: null });
    expect(second?.reviewed_at).toBeNull();
  });

  it('gives one winner of many at the same time', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) => review({ ids, reviewed: true }, byKey(String(20 + i)))),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const winners = replies.map(({ body }) => JSON.stringify(body.changes));
    expect(new Set(winners).size).toBe(1);
  });

  it.each([
    ['an id that is not there', () => 999_999_999, false],
    ['a status that is no change', () => ids[0] as number, true],
  ])('404, and marks nothing: %s', async (_what, idOf, isStored) => {
    if (isStored)
      await cases.db
        .collection('status_updates')
        .updateOne({ _id: idOf() as never }, { $unset: { change: 1 } });
    const { status, body } = await review({ ids: [ids[1], idOf()], reviewed: true });
    expect([status, body.code]).toEqual([404, 'change_not_found']);
    expect(body.message).toContain(String(idOf()));
    expect((await stateOf())[1]).toEqual({ reviewed_at: null, reviewed_by: null });
  });

  it('404 for the changes of another firm, and 401 for an end user', async () => {
    const { status, body } = await review({ ids, reviewed: true }, byKey('7', 2));
    expect([status, body.code]).toEqual([404, 'change_not_found']);
    expect((await review({ ids, reviewed: true }, endUser(1))).status).toBe(401);
    expect((await stateOf()).map(({ reviewed_at }) => reviewed_at)).toEqual([null, null]);
  });

  it.each([
    [{ ids: [], reviewed: true }],
    [{ ids: [1] }],
    [{ reviewed: true }],
    [{ ids: ['1'], reviewed: true }],
    [{ ids: [0], reviewed: true }],
    [{ ids: Array.from({ length: 101 }, (_, i) => i + 1), reviewed: true }],
    [{ ids: [1], reviewed: 'yes' }],
    [{ ids: [1], reviewed: true, by: 'me' }],
  ])('400: %j', async (body) => {
    expect((await review(body)).status).toBe(400);
  });
});
