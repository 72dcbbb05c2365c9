import { updatedCase } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { receipt, user } from '../../test/support/fixtures.ts';
import { type Cases, partner, startTestCases } from '../../test/support/start-cases.ts';

const member = (name: string, over: object = {}) => ({
  ...{ partner_id: 1, name, status: 'active' as const, removed_at: null, ...over },
});

describe('the member of a firm who works on a case', () => {
  let cases: Cases;
  let n = 0;
  let version = 1;
  let made: { id: number };
  const put = (body: object, id = made.id, as = partner()) =>
    cases.call('PUT', `/v1/client/cases/${id}`, { as, body });
  const read = async (id = made.id) =>
    (await cases.call('GET', `/v1/client/cases/${id}`)).body.case as Record<string, unknown>;
  const create = async () => {
    n += 1;
    const body = { receipt_number: receipt(n), uscis_access_acknowledged: true };
    return (await cases.call('POST', '/v1/client/users/1/cases', { body })).body.case as typeof made;
  };
  const remove = async (staff_id: number, reassign_to: number | null = null) => {
    const known = cases.members.get(staff_id);
    if (known) known.removed_at = new Date().toISOString();
    version += 1;
    await cases.identity.publish('staff.deleted', { staff_id, partner_id: 1, version, reassign_to });
  };
  const storedOf = async (id: number) =>
    (await cases.db.collection<{ _id: number; assignee_id: number | null }>('cases').findOne({ _id: id }))
      ?.assignee_id;

  beforeAll(async () => {
    cases = await startTestCases({ MAX_ACTIVE_CASES_PER_USER: '400' });
    cases.users.set(1, user(1));
  });
  afterAll(async () => await cases.stop());
  beforeEach(async () => {
    base += 100;
    for (const id of [11, 12, 13]) cases.members.set(idOf(id), member(`Member ${id}`));
    made = await create();
  });
  /** Members of this test alone: one who was removed stays removed. */
  let base = 0;
  const idOf = (id: number) => base + id;

  it('is shown wherever partners read the case, and nowhere else', async () => {
    const answer = await put({ assignee_id: idOf(11) });
    expect(answer.status).toBe(200);
    const assignee = { id: idOf(11), name: 'Member 11' };
    expect(updatedCase.parse(answer.body.case)).toMatchObject({ id: made.id, assignee });
    expect(await read()).toMatchObject({ assignee });
    const { body } = await cases.call('GET', '/v1/client/cases?limit=1');
    expect(body.cases).toMatchObject([{ id: made.id, assignee }]);
    for (const path of ['/v1/users/1/cases?limit=100', `/v1/users/1/cases/${made.id}`])
      expect(JSON.stringify((await cases.call('GET', path)).body)).not.toContain('assignee');
    expect((await put({ assignee_id: null })).body.case).toMatchObject({ assignee: null });
    expect(await read()).toMatchObject({ assignee: null });
  });

  it('is told on the bus by the id alone', async () => {
    await put({ assignee_id: idOf(12) });
    const event = await waitFor(() =>
      cases.events.find(({ type, data }) => {
        return type === 'case.updated' && (data.case as typeof made).id === made.id;
      }),
    );
    expect(event.data).toMatchObject({ assignee_id: idOf(12), version: 2 });
    expect(JSON.stringify(event.data)).not.toContain('Member');
  });

  type Row = [what: string, id: () => number, status: number, code: string, over?: object];
  it.each<Row>([
    ['is not there', () => 999_999, 404, 'staff_not_found'],
    ['is of another firm', () => idOf(12), 404, 'staff_not_found', { partner_id: 2 }],
    ['was removed', () => idOf(12), 404, 'staff_not_found', { removed_at: '2026-11-01T10:00:00.000Z' }],
    ['has no access', () => idOf(12), 400, 'validation_failed', { status: 'disabled' as const }],
  ])('who %s gets no case', async (_what, id, status, code, over = {}) => {
    cases.members.set(idOf(12), member('Member 12', over));
    const answer = await put({ assignee_id: id() });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await storedOf(made.id)).toBeNull();
  });

  it('who has no access any more stays while other fields change, as the console’s form sends them', async () => {
    await put({ assignee_id: idOf(12) });
    cases.members.set(idOf(12), member('Member 12', { status: 'disabled' as const }));
    const answer = await put({ assignee_id: idOf(12), reference: '2026-9' });
    expect(answer.status).toBe(200);
    expect(await read()).toMatchObject({ assignee: { id: idOf(12) }, reference: '2026-9' });
    await put({ assignee_id: null });
    expect((await put({ assignee_id: idOf(12) })).status).toBe(400);
  });

  it('may be invited and not there yet', async () => {
    cases.members.set(idOf(12), member('Member 12', { status: 'invited' as const }));
    expect((await put({ assignee_id: idOf(12) })).status).toBe(200);
  });

  it('is never left out where identity does not answer', async () => {
    await put({ assignee_id: idOf(11) });
    cases.setIdentityAway();
    const answer = await cases.call('GET', `/v1/client/cases/${made.id}`);
    expect([answer.status, answer.body.code]).toEqual([503, 'service_unavailable']);
    cases.setIdentityAway(false);
  });

  it.each([
    ['nobody', null],
    ['another member', 13],
  ])('who is removed leaves all cases to %s, in more than one step', async (_who, to) => {
    const ids = [made.id];
    for (let i = 0; i < 101; i++) ids.push((await create()).id);
    const [first, other] = [idOf(11), to === null ? null : idOf(to)];
    for (const id of ids) expect((await put({ assignee_id: first }, id)).status).toBe(200);
    const left = await create();
    await remove(first, other);
    // Also before it is moved, a case shows nobody who is removed.
    expect((await read(ids.at(-1))).assignee ?? { id: other }).toMatchObject({ id: other });
    const stored = async () => new Set(await Promise.all(ids.map(storedOf)));
    await waitFor(async () => (await stored()).size === 1 && (await stored()).has(other), {
      timeoutMs: 30_000,
    });
    expect(await storedOf(left.id)).toBeNull();
  });

  it('cannot be chosen after the removal, whatever identity said a moment before', async () => {
    const id = idOf(11);
    await put({ assignee_id: id });
    await remove(id);
    await waitFor(async () => (await storedOf(made.id)) === null);
    const known = cases.members.get(id);
    if (known) known.removed_at = null;
    const answer = await put({ assignee_id: id });
    expect([answer.status, answer.body.code]).toEqual([404, 'staff_not_found']);
    expect(await storedOf(made.id)).toBeNull();
  });

  it('who gets the cases of a removed one and is removed too leaves them to nobody', async () => {
    const [first, second] = [idOf(11), idOf(12)];
    await put({ assignee_id: first });
    await remove(second);
    await remove(first, second);
    await waitFor(async () => (await storedOf(made.id)) === null);
    expect(await read()).toMatchObject({ assignee: null });
  });
});
