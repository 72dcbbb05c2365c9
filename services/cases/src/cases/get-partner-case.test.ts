import { type CreatedCase, operations, type Principal, type StatusUpdate } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { notification, receipt, statusUpdated, user } from '../../test/support/fixtures.ts';
import { type Cases, endUser, partner, startTestCases } from '../../test/support/start-cases.ts';

describe('GET /v1/client/cases/{case_ref}', () => {
  let cases: Cases;
  const get = (ref: string | number, as = partner()) => cases.call('GET', `/v1/client/cases/${ref}`, { as });
  const create = async (userId: number) => {
    cases.users.set(userId, user(userId));
    const body = { receipt_number: receipt(userId), uscis_access_acknowledged: true };
    const made = (await cases.call('POST', `/v1/client/users/${userId}/cases`, { body })).body
      .case as CreatedCase;
    const { id, user_case_id, receipt_number, user_id } = made;
    return { id, user_case_id, receipt_number, user_id, partner_id: 1 };
  };
  const updatesOf = (body: Record<string, unknown>) => body.status_updates as StatusUpdate[];

  beforeAll(async () => {
    cases = await startTestCases();
  });
  afterAll(async () => await cases.stop());

  it('shows the case with its user, updates, count and monitoring, in partner time', async () => {
    const made = await create(1);
    const seeing = { ...partner(), scopes: ['cases:read', 'users:read'] } as Principal;
    const { status, body } = await get(made.id, seeing);
    expect(status).toBe(200);
    operations.get_partner_case.success.body.parse(body);
    expect(body).toMatchObject({
      case: { id: made.id, user_id: 1, user: { id: 1, name: 'Ana Example', phone: '+12025550123' } },
      update_count: 1,
      updates_cursor: null,
      monitoring: { state: 'watched', next_check_at: null },
    });
    expect(updatesOf(body)[0]).toMatchObject({
      timestamp: '2026-11-20 09:00:00',
      submitted_date: '2026-11-01 08:30:00',
      email_notify_status: 'skipped',
    });
  });

  it('names nobody to a key that may not see users, on either path and in every list', async () => {
    const made = await create(10);
    await cases.monitor.publish('status.updated', statusUpdated(made));
    await waitFor(async () => (await get(made.id)).body.update_count === 2);
    const paths = ['/v1/client/cases', `/v1/client/cases/${made.id}`, `/v1/users/10/cases/${made.id}`];
    for (const path of [...paths, '/v1/users/10/cases', '/v1/client/changes']) {
      const { status, body } = await cases.call('GET', path);
      const text = JSON.stringify(body);
      expect([path, status]).toEqual([path, 200]);
      expect(text).toContain(made.user_case_id);
      expect(text).not.toMatch(/Ana|Example|person10|example\.test|2025550123/);
    }
    expect((await get(made.id)).body.case).toMatchObject({ user_id: 10, user: null });
    const own = await cases.call('GET', `/v1/users/10/cases/${made.id}`, { as: endUser(10) });
    expect(own.body.case).toMatchObject({ user: { name: 'Ana Example' } });
  });

  it('takes either form of the reference, spelt as it was given', async () => {
    const made = await create(2);
    expect((await get(made.user_case_id)).body).toMatchObject({ case: { id: made.id } });
    for (const ref of [`FLOW0${made.user_case_id.slice(4)}`, '9007199254740991'])
      expect(await get(ref)).toMatchObject({ status: 404, body: { code: 'case_not_found' } });
    for (const ref of ['0', 'flow0000001', '1e3', '9007199254740993', 'FLOW9007199254740993'])
      expect((await get(ref)).status).toBe(400);
  });

  it('answers 404 for the case of another partner and 401 to an end user', async () => {
    const made = await create(3);
    expect(await get(made.id, partner(2))).toMatchObject({ status: 404, body: { code: 'case_not_found' } });
    expect((await get(made.id, endUser(3))).status).toBe(401);
  });

  it('answers 404 immediately when the user is gone, before the erasure comes', async () => {
    const made = await create(4);
    cases.users.delete(4);
    expect(await get(made.id)).toMatchObject({ status: 404, body: { code: 'case_not_found' } });
  });

  it('shows what the monitor and the notifier say over the bus', async () => {
    const made = await create(5);
    const change = statusUpdated(made);
    await cases.monitor.publish('status.updated', { ...change, spanish_source: 'uscis' });
    await cases.notifier.publish('notification.updated', notification(made, change.status_update.id));
    const { body } = await waitFor(async () => {
      const reply = await get(made.id);
      const [newest] = updatesOf(reply.body);
      return reply.body.update_count === 2 && newest?.email_notify_status === 'sent' && reply;
    });
    // The first status says nothing of its Spanish text.
    expect(updatesOf(body).map(({ spanish_source }) => spanish_source)).toEqual(['uscis', null]);
    expect(updatesOf(body)[0]).toMatchObject({
      id: change.status_update.id,
      kind: 'status',
      status_code: 'Case Was Approved',
      notified: 1,
      email_notify_attempts: 1,
      email_notify_sent_at: '2026-11-21 09:00:05',
      whatsapp_notify_status: 'pending',
      whatsapp_notify_last_error: null,
    });
    expect(body.case).toMatchObject({ update_count: 2, latest_update: { status_code: 'Case Was Approved' } });
  });

  it('moves last_checked and the next check when the monitor says so', async () => {
    const made = await create(6);
    const checked_at = '2026-11-21T12:00:00.000Z';
    const next_check_at = '2026-11-22T12:00:00.000Z';
    cases.monitor.bus.publish('status.checked', { checked_at, next_check_at, case_ids: [made.id] });
    const { body } = await waitFor(async () => {
      const reply = await get(made.id);
      return (reply.body.case as { last_checked: string }).last_checked === '2026-11-21 12:00:00' && reply;
    });
    expect(body.monitoring).toMatchObject({ next_check_at: '2026-11-22 12:00:00' });
  });

  it('shows a case of a user who is switched off as paused', async () => {
    const made = await create(7);
    await cases.identity.publish('user.updated', {
      user_id: 7,
      partner_id: 1,
      status: 'inactive',
      version: 2,
    });
    const { body } = await waitFor(async () => {
      const reply = await get(made.id);
      return (reply.body.monitoring as { state: string }).state === 'paused' && reply;
    });
    expect(body.case).toMatchObject({ active: true });
  });

  it('shows 100 updates, newest first, and leads on to the rest', async () => {
    const made = await create(8);
    const rows = Array.from({ length: 120 }, (_, i) => ({
      ...statusUpdated(made).status_update,
      _id: 5_000 + i,
      id: undefined,
      case_id: made.id,
      observation: 2 + i,
      timestamp: new Date(),
      submitted_date: null,
      modified_date: null,
      notified: 0,
      email_notify_status: 'pending',
      whatsapp_notify_status: 'pending',
      email_notify_attempts: 0,
      whatsapp_notify_attempts: 0,
      email_notify_last_error: null,
      whatsapp_notify_last_error: null,
      email_notify_sent_at: null,
      whatsapp_notify_sent_at: null,
    }));
    await cases.db.collection<{ _id: number }>('status_updates').insertMany(rows);
    const first = (await get(made.id)).body;
    expect(updatesOf(first).map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, i) => 5_119 - i));
    const second = await get(`${made.id}?updates_cursor=${first.updates_cursor}`);
    expect(updatesOf(second.body)).toHaveLength(21);
    expect(updatesOf(second.body)[0]).toMatchObject({ id: 5_019 });
    expect(second.body.updates_cursor).toBeNull();
    const other = await create(9);
    expect(await get(`${other.id}?updates_cursor=${first.updates_cursor}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_cursor' },
    });
  });
});
