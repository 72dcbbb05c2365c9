import { updatedCase } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { receipt, user } from '../../test/support/fixtures.ts';
import { type Cases, endUser, partner, startTestCases } from '../../test/support/start-cases.ts';

describe('a partner changes and deletes a case', () => {
  let cases: Cases;
  let n = 0;
  let made: { id: number; user_case_id: string };
  const call = (method: string, body?: unknown, as = partner(), ref: string | number = made.id) =>
    cases.call(method, `/v1/client/cases/${ref}`, { as, ...(body !== undefined && { body }) });
  const read = async () => (await call('GET')).body.case as Record<string, unknown>;

  beforeAll(async () => {
    cases = await startTestCases({ MAX_ACTIVE_CASES_PER_USER: '100' });
    cases.users.set(1, user(1));
  });
  afterAll(async () => await cases.stop());
  beforeEach(async () => {
    n += 1;
    const body = { receipt_number: receipt(n), uscis_access_acknowledged: true };
    const answer = await cases.call('POST', '/v1/client/users/1/cases', { body });
    expect(Object.keys(answer.body.case as object)).not.toContain('reference');
    made = answer.body.case as typeof made;
  });

  it('sets the matter number, which reads and lists of the partner show, and nothing else does', async () => {
    const { status, body } = await call(
      'PUT',
      { reference: '  2024-118 Núñez ' },
      partner(),
      made.user_case_id,
    );
    expect(status).toBe(200);
    expect(updatedCase.parse(body.case)).toMatchObject({
      id: made.id,
      user_id: 1,
      reference: '2024-118 Núñez',
    });
    expect(await read()).toMatchObject({ reference: '2024-118 Núñez' });
    const { body: listed } = await cases.call(
      'GET',
      `/v1/client/cases?reference=${encodeURI('2024-118 Núñez')}`,
    );
    expect(listed).toMatchObject({ cases: [{ id: made.id, reference: '2024-118 Núñez' }], total: 1 });
    for (const path of ['/v1/users/1/cases?limit=100', `/v1/users/1/cases/${made.id}`])
      expect(JSON.stringify((await cases.call('GET', path)).body)).not.toContain('reference');
    const nine = await cases.call('PUT', `/v1/users/1/cases/${made.id}`, { body: { description: 'x' } });
    expect(JSON.stringify(nine.body)).not.toContain('reference');
    expect((await read()).reference).toBe('2024-118 Núñez');
  });

  it('never tells the bus the number: the event of the change has ids and the version', async () => {
    await call('PUT', { reference: 'Matter 7-secret' });
    const event = await waitFor(() =>
      cases.events.find(
        ({ type, data }) => type === 'case.updated' && (data.case as typeof made).id === made.id,
      ),
    );
    expect(event.data.version).toBe(2);
    expect(JSON.stringify(await cases.db.collection('outbox').find({}).toArray())).not.toContain('7-secret');
  });

  it('removes it with null, and a number that it has already changes nothing', async () => {
    await call('PUT', { reference: '1' });
    await call('PUT', { reference: '1' });
    const rows = cases.db.collection<{ _id: number; version: number }>('cases');
    expect((await rows.findOne({ _id: made.id }))?.version).toBe(2);
    const { body } = await call('PUT', { reference: null });
    expect(body.case).toMatchObject({ reference: null });
    expect((await rows.findOne({ _id: made.id }))?.version).toBe(3);
  });

  it('changes several fields together; what is not sent stays', async () => {
    const { body } = await call('PUT', { reference: '$version', description: '$x', active: false });
    expect(body.case).toMatchObject({ reference: '$version', description: '$x', active: false });
    const later = await call('PUT', { active: true });
    expect(later.body.case).toMatchObject({ reference: '$version', description: '$x', active: true });
  });

  it.each([
    [{}, 'empty_update'],
    [{ reference: '' }, 'validation_failed'],
    [{ reference: 'x'.repeat(65) }, 'validation_failed'],
    [{ reference: 7 }, 'validation_failed'],
    [{ reference: 'a\u202eb' }, 'validation_failed'],
    [{ reference: 'a\nb' }, 'validation_failed'],
    [{ assignee: 1 }, 'validation_failed'],
    [{ receipt_number: receipt(1) }, 'validation_failed'],
  ])('400: %j', async (body, code) => {
    const answer = await call('PUT', body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect((await read()).reference).toBeNull();
  });

  it('deletes a case, by either name, with its updates, and frees its place', async () => {
    const { status, body } = await call('DELETE', undefined, partner(), made.user_case_id);
    expect([status, body]).toEqual([200, { success: true, message: expect.any(String) }]);
    expect((await call('GET')).status).toBe(404);
    expect((await call('DELETE')).body.code).toBe('case_not_found');
    expect(await cases.db.collection('status_updates').countDocuments({ case_id: made.id })).toBe(0);
    await waitFor(() =>
      cases.events.some(
        ({ type, data }) => type === 'case.deleted' && (data.case as typeof made).id === made.id,
      ),
    );
    const [kept] = await cases.db.collection('acknowledgements').find({ case_id: made.id }).toArray();
    expect(kept).toMatchObject({ user_id: null, receipt_number: null });
    const again = { receipt_number: receipt(n), uscis_access_acknowledged: true };
    expect((await cases.call('POST', '/v1/client/users/1/cases', { body: again })).status).toBe(201);
  });

  it.each(['PUT', 'DELETE'])(
    '%s: 404 to another partner, 401 to the person, and nothing changes',
    async (method) => {
      const body = method === 'PUT' ? { reference: 'theirs' } : undefined;
      const other = await call(method, body, partner(2));
      expect([other.status, other.body.code]).toEqual([404, 'case_not_found']);
      expect((await call(method, body, endUser(1) as never)).status).toBe(401);
      expect(await read()).toMatchObject({ id: made.id, reference: null });
    },
  );
});
