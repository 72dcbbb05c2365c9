import { createdCase, type Principal, statusUpdate } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { facts, receipt, seen, user } from '../../test/support/fixtures.ts';
import { type Cases, partner, startTestCases } from '../../test/support/start-cases.ts';

describe('POST /v1/client/users/{user_id}/cases', () => {
  let cases: Cases;
  let next = 0;
  let userId = 0;
  const body = (over: object = {}) => ({
    receipt_number: receipt(next),
    uscis_access_acknowledged: true,
    ...over,
  });
  const seeing = { ...partner(), scopes: ['cases:read', 'cases:write', 'users:read'] } as Principal;
  const create = (over: object = {}, as = seeing) =>
    cases.call('POST', `/v1/client/users/${userId}/cases`, { as, body: body(over) });

  beforeAll(async () => {
    cases = await startTestCases();
  });
  afterAll(async () => await cases.stop());
  beforeEach(() => {
    next += 1;
    userId = next;
    cases.users.set(userId, user(userId, { preferred_language: 'es' }));
    cases.monitorSays(async () => seen());
  });

  it('answers 201 with exactly the fields of the specification', async () => {
    const { status, headers, body: answer } = await create({ description: ' Family ' });
    expect([status, answer.code]).toEqual([201, undefined]);
    expect(Object.keys(answer)).toEqual(['success', 'message', 'case', 'status_updates', 'update_count']);
    const made = createdCase.parse(answer.case);
    expect(headers.get('location')).toBe(`/v1/client/cases/${made.id}`);
    expect(made).toMatchObject({
      user_case_id: `FLOW${String(made.id).padStart(7, '0')}`,
      user_id: userId,
      receipt_number: receipt(next),
      description: 'Family',
      active: true,
      last_checked: '2026-11-20T09:00:00.000Z',
      update_count: 1,
      uscis_access_ack_version: '2026-11',
      user: { id: userId, email: `person${userId}@example.test`, status: 'active', preferred_language: 'es' },
    });
  });

  it('shows no name to a key without users:read', async () => {
    const { status, body: answer } = await create({}, partner());
    expect(status).toBe(201);
    expect(createdCase.parse(answer.case)).toMatchObject({ user_id: userId, user: null });
    expect(JSON.stringify(answer)).not.toContain(`person${userId}@`);
  });

  it('shows the first state as one StatusUpdate without a notification, in the language of the user', async () => {
    const { body: answer } = await create();
    const updates = answer.status_updates as unknown[];
    expect(updates).toHaveLength(1);
    const update = statusUpdate.parse(updates[0]);
    expect(update).toMatchObject({
      kind: 'baseline',
      status_code: 'Case Was Received',
      submitted_date: '2026-11-01T08:30:00.000Z',
      timestamp: '2026-11-20T09:00:00.000Z',
      notified: 0,
      email_notify_status: 'skipped',
      whatsapp_notify_status: 'skipped',
      email_notify_attempts: 0,
      email_notify_last_error: 'baseline: first state of a new case',
      email_notify_sent_at: null,
    });
    expect(update.detail_message).toMatch(/^USCIS recibió el caso/);
    const { latest_update } = answer.case as { latest_update: { id: number } };
    expect(latest_update.id).toBe(update.id);
  });

  it('asks the monitor as the partner for the user, taking a fresh answer from its store', async () => {
    await create();
    expect(cases.checks.at(-1)).toEqual({
      receipt_number: receipt(next),
      caller: { partner_id: 1, user_id: userId },
      max_age_s: 60,
    });
  });

  it('stores who acknowledged what, when and from where', async () => {
    const { body: answer } = await create();
    const { id, uscis_access_acknowledged_at: at } = answer.case as Record<string, unknown>;
    expect(await cases.db.collection('acknowledgements').findOne({ case_id: Number(id) })).toMatchObject({
      partner_id: 1,
      key_id: 'key-1',
      address: '203.0.113.7',
      version: '2026-11',
      acknowledged_at: new Date(String(at)),
      user_id: userId,
      receipt_number: receipt(next),
    });
  });

  it('publishes case.created with the baseline', async () => {
    cases.monitorSays(async () => seen({ status_update_id: 77, observation: 4, facts_hash: 'abc' }));
    const { body: answer } = await create();
    const { id } = answer.case as { id: number };
    const event = await waitFor(() =>
      cases.events.find(({ data }) => (data.case as { id: number }).id === id),
    );
    expect(event).toMatchObject({
      type: 'case.created',
      data: {
        case: { id, receipt_number: receipt(next), user_id: userId, partner_id: 1 },
        watched: true,
        active: true,
        version: 1,
        first_check: 'seen',
        baseline: { status_update_id: 77, observation: 4, facts_hash: 'abc' },
      },
    });
  });

  it('takes a receipt number as people type it', async () => {
    const spaced = receipt(next)
      .replace(/^(...)(..)/, '$1-$2 ')
      .toLowerCase();
    const { status, body: answer } = await create({ receipt_number: spaced });
    expect(status).toBe(201);
    expect((answer.case as { receipt_number: string }).receipt_number).toBe(receipt(next));
  });

  it('makes a case without an update where the government shows nothing, and says so neutrally', async () => {
    const checked_at = '2026-11-20T09:00:00.000Z';
    cases.monitorSays(async () => ({ outcome: 'not_found', message: 'The number is invalid.', checked_at }));
    const { status, body: answer } = await create();
    expect(status).toBe(201);
    expect(answer).toMatchObject({ status_updates: [], update_count: 0, case: { latest_update: null } });
    expect(answer.message).not.toMatch(/invalid/i);
    const created = await waitFor(() =>
      cases.events.find(({ data }) => (data.case as { user_id: number }).user_id === userId),
    );
    expect(created.data).toMatchObject({ first_check: 'not_found', baseline: null });
  });

  it('makes a case without an update where the answer cannot be read', async () => {
    cases.monitorSays(async () => ({ outcome: 'unreadable', checked_at: '2026-11-20T09:00:00.000Z' }));
    expect(await create()).toMatchObject({ status: 201, body: { status_updates: [], update_count: 0 } });
  });

  it('does not ask the government at all where the first check is deferred', async () => {
    const before = cases.checks.length;
    const { status, body: answer } = await create({ first_check: 'deferred' });
    expect(status).toBe(201);
    expect(answer).toMatchObject({ status_updates: [], update_count: 0, case: { last_checked: null } });
    expect(cases.checks).toHaveLength(before);
  });

  it('leaves out what the government does not say', async () => {
    const bare = facts({
      form_type: null,
      submitted_date: null,
      history: [],
      status_code: 'Brand New Title',
    });
    cases.monitorSays(async () => seen({ facts: bare }));
    const { body: answer } = await create();
    expect((answer.status_updates as unknown[])[0]).toMatchObject({
      form_type: null,
      submitted_date: null,
      history: [],
    });
  });
});
