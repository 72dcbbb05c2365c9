import type { BulkResult, Principal } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CaseInEvent, receipt, seen, statusUpdated, user } from '../../test/support/fixtures.ts';
import { type Cases, endUser, partner, startTestCases } from '../../test/support/start-cases.ts';

const done = { outcome: 'done', code: null, message: null };
const unchanged = { outcome: 'unchanged', code: null, message: null };
const refused = (code: string) => ({ outcome: 'refused', code, message: expect.any(String) });

describe('POST /v1/client/cases/bulk', () => {
  let cases: Cases;
  let n = 0;
  let userId = 0;
  let made: CaseInEvent[];

  const bulk = (body: object, { as = partner(), headers = {} } = {}) =>
    cases.call('POST', '/v1/client/cases/bulk', { as, body, headers });
  const resultsOf = async (body: object) => {
    const { status, body: answer } = await bulk(body);
    expect(status).toBe(200);
    return answer.results as BulkResult[];
  };
  const refs = () => made.map(({ id }) => String(id));
  const create = async (of = userId, as = partner()): Promise<CaseInEvent> => {
    n += 1;
    const body = { receipt_number: receipt(n), uscis_access_acknowledged: true };
    const answer = await cases.call('POST', `/v1/client/users/${of}/cases`, { as, body });
    expect(answer.status).toBe(201);
    const { id, user_case_id, receipt_number } = answer.body.case as CaseInEvent;
    return { id, user_case_id, receipt_number, user_id: of, partner_id: 1 };
  };
  const read = async (id: number) =>
    (await cases.call('GET', `/v1/client/cases/${id}`)).body.case as Record<string, unknown>;
  const eventsOf = (id: number) =>
    cases.events.filter(({ type, data }) => type === 'case.updated' && (data.case as CaseInEvent).id === id);
  type Stored = { type: string; body: string };
  const records = async () => {
    const rows = await cases.db.collection<Stored>('outbox').find({ type: 'cases.audited' }).toArray();
    const all = rows.flatMap(({ body }) => JSON.parse(body).data.records);
    return all.filter(({ operation }) => operation === 'change_partner_cases');
  };

  beforeAll(async () => {
    cases = await startTestCases({ MAX_ACTIVE_CASES_PER_USER: '3' });
  });
  afterAll(async () => await cases.stop());
  beforeEach(async () => {
    userId += 1;
    cases.users.set(userId, user(userId));
    cases.monitorSays(async () => seen());
    made = [await create(), await create(), await create()];
    await cases.db.collection('outbox').deleteMany({ type: 'cases.audited' });
  });

  it('pauses cases, in the order and by the names of the call, each with its event, with one record of all', async () => {
    const [first, second, third] = made as [CaseInEvent, CaseInEvent, CaseInEvent];
    await cases.call('PUT', `/v1/client/cases/${second.id}`, { body: { active: false } });
    await cases.db.collection('outbox').deleteMany({ type: 'cases.audited' });
    const case_refs = [third.user_case_id, String(second.id), String(first.id)];
    expect(await resultsOf({ case_refs, action: 'pause' })).toEqual([
      { case_ref: third.user_case_id, ...done },
      { case_ref: String(second.id), ...unchanged },
      { case_ref: String(first.id), ...done },
    ]);
    for (const { id } of made) expect(await read(id)).toMatchObject({ active: false });
    for (const { id } of [first, third])
      await waitFor(() => eventsOf(id).some(({ data }) => data.active === false && data.version === 2));
    const kept = await records();
    expect(kept).toHaveLength(1);
    const objects = kept[0].objects.map(({ kind, id }: { kind: string; id: string }) => `${kind}:${id}`);
    expect(objects.toSorted()).toEqual(made.map(({ id }) => `case:${id}`).toSorted());
  });

  it('refuses what is not there, or of another firm, as one of the results, and changes the others', async () => {
    cases.users.set(9_000 + userId, user(9_000 + userId, { partner_id: 2 }));
    const theirs = await create(9_000 + userId, partner(2));
    const [mine = ''] = refs();
    const case_refs = ['999999999', String(theirs.id), mine];
    const [one, two, three] = await resultsOf({ case_refs, action: 'pause' });
    expect([one, two]).toEqual(
      case_refs.slice(0, 2).map((case_ref) => ({ case_ref, ...refused('case_not_found') })),
    );
    expect(three).toEqual({ case_ref: mine, ...done });
    const row = await cases.db
      .collection<{ _id: number; active: boolean }>('cases')
      .findOne({ _id: theirs.id });
    expect(row?.active).toBe(true);
    expect(JSON.stringify(await records())).not.toContain(`"${theirs.id}"`);
  });

  it('resumes as many cases as the user may have, and says of each other why not', async () => {
    await resultsOf({ case_refs: refs(), action: 'pause' });
    const others = [await create(), await create()];
    const results = await resultsOf({ case_refs: refs(), action: 'resume' });
    expect(results.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['done', null],
      ['refused', 'case_limit_reached'],
      ['refused', 'case_limit_reached'],
    ]);
    cases.users.set(userId, user(userId, { status: 'inactive', version: 2 }));
    expect(await resultsOf({ case_refs: [String(others[0]?.id)], action: 'resume' })).toEqual([
      { case_ref: String(others[0]?.id), ...refused('user_not_active') },
    ]);
  });

  it('assigns cases, and their changes with them; null to nobody', async () => {
    const staffId = 500 + userId;
    cases.members.set(staffId, { partner_id: 1, name: 'Bia', status: 'active', removed_at: null });
    const body = { case_refs: refs(), action: 'assign' };
    expect(await resultsOf({ ...body, assignee_id: staffId })).toEqual(
      refs().map((case_ref) => ({ case_ref, ...done })),
    );
    expect(await resultsOf({ ...body, assignee_id: staffId })).toEqual(
      refs().map((case_ref) => ({ case_ref, ...unchanged })),
    );
    const { body: listed } = await cases.call('GET', `/v1/client/cases?assignee_id=${staffId}`);
    expect(listed).toMatchObject({ total: 3, total_is_exact: true });
    await resultsOf({ ...body, assignee_id: null });
    for (const { id } of made) expect(await read(id)).toMatchObject({ assignee: null });
    const unknown = await bulk({ ...body, assignee_id: 999_999 });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'staff_not_found']);
  });

  it('reviews all changes of the cases, once', async () => {
    const [first, second] = made as [CaseInEvent, CaseInEvent];
    const events = [2, 3].map((observation) => statusUpdated(first, { observation }));
    for (const event of events) await cases.monitor.publish('status.updated', event);
    const unreviewed = async () => {
      const { body } = await cases.call('GET', '/v1/client/changes?reviewed=false&limit=100');
      return (body.changes as { case: { id: number } }[]).filter((row) => row.case.id === first.id).length;
    };
    await waitFor(async () => (await unreviewed()) === 2);
    const case_refs = [String(first.id), String(second.id)];
    const results = await resultsOf({ case_refs, action: 'review' });
    expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'unchanged']);
    expect(await unreviewed()).toBe(0);
    expect((await resultsOf({ case_refs, action: 'review' })).map(({ outcome }) => outcome)).toEqual([
      'unchanged',
      'unchanged',
    ]);
  });

  it('checks the cases with the monitor, whose limits are results, and records it', async () => {
    const [, second, third] = made as [CaseInEvent, CaseInEvent, CaseInEvent];
    const asked = cases.checks.length;
    cases.monitorSays(async ({ receipt_number }) => {
      if (receipt_number === second.receipt_number) throw new ApiError('rate_limited', { retryAfterS: 60 });
      const none = { outcome: 'not_found', message: null, checked_at: new Date().toISOString() } as never;
      return receipt_number === third.receipt_number ? none : seen();
    });
    const results = await resultsOf({ case_refs: refs(), action: 'check' });
    expect(results.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['done', null],
      ['refused', 'rate_limited'],
      ['refused', 'status_not_available'],
    ]);
    expect(cases.checks.length).toBe(asked + 3);
    expect((await records()).map(({ objects }) => objects.length)).toEqual([3]);
    const without = { ...partner(), scopes: ['cases:read', 'cases:write'] } as Principal;
    const denied = await bulk({ case_refs: refs(), action: 'check' }, { as: without });
    expect([denied.status, denied.body.code]).toEqual([403, 'insufficient_scope']);
  });

  it('changes nothing and says 503 while identity, which knows the users, is away', async () => {
    cases.setIdentityAway();
    const { status, body } = await bulk({ case_refs: refs(), action: 'pause' });
    cases.setIdentityAway(false);
    expect([status, body.code]).toEqual([503, 'service_unavailable']);
    for (const { id } of made) expect(await read(id)).toMatchObject({ active: true });
  });

  it('answers a repeated Idempotency-Key as before, and changes nothing again', async () => {
    const headers = { 'idempotency-key': `bulk-${userId}` };
    const body = { case_refs: refs(), action: 'pause' };
    const first = await bulk(body, { headers });
    await resultsOf({ case_refs: refs(), action: 'resume' });
    const second = await bulk(body, { headers });
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    for (const { id } of made) expect(await read(id)).toMatchObject({ active: true });
  });

  type Row = [what: string, body: () => object, pointer: string];
  it.each<Row>([
    ['a case that is named twice', () => ({ case_refs: ['7', '8', '7'], action: 'pause' }), '#/case_refs/2'],
    ['a case with two names', () => ({ case_refs: ['7', 'FLOW0000007'], action: 'pause' }), '#/case_refs/1'],
    ['no member to assign', () => ({ case_refs: refs(), action: 'assign' }), '#/assignee_id'],
    [
      'a member for another act',
      () => ({ case_refs: refs(), action: 'pause', assignee_id: 1 }),
      '#/assignee_id',
    ],
    ['an unknown act', () => ({ case_refs: refs(), action: 'delete' }), '#/action'],
    ['no case', () => ({ case_refs: [], action: 'pause' }), '#/case_refs'],
    [
      '101 cases',
      () => ({ case_refs: Array.from({ length: 101 }, (_, i) => String(i + 1)), action: 'pause' }),
      '#/case_refs',
    ],
  ])('400, and nothing changes: %s', async (_what, body, pointer) => {
    const answer = await bulk(body());
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    expect((answer.body.errors as { pointer: string }[]).map((fault) => fault.pointer)).toEqual([pointer]);
    for (const { id } of made) expect(await read(id)).toMatchObject({ active: true });
  });

  it('401 to a person', async () => {
    expect((await bulk({ case_refs: refs(), action: 'pause' }, { as: endUser(userId) })).status).toBe(401);
  });
});
