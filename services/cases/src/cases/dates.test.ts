import { type Principal, partnerCaseWithUser, updatedCase } from '@casewatch/contracts';
import { type Sibling, startSibling, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { facts, receipt, seen, statusUpdated, user } from '../../test/support/fixtures.ts';
import { type Cases, endUser, partner, startTestCases } from '../../test/support/start-cases.ts';
import { createStores, database } from '../store/stores.ts';

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
/** "November 10, 2026" */
const inWords = (date: string) =>
  new Date(date).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const sentOn = (date: string) =>
  `On ${inWords(date)}, we sent a request for additional evidence for your Form I-130.`;

const evidence = {
  status_code: 'Request for Additional Evidence Was Sent',
  status_slug: 'request_for_additional_evidence_was_sent',
  status_description: sentOn(day(-10)),
  category: 'evidence',
};
/** 84 days after the request. */
const estimate = { date: day(74), source: 'estimate' };
const noticeDay = day(20);
const notice = { date: noticeDay, source: 'notice' };

describe('the day for an answer', () => {
  let cases: Cases;
  let gateway: Sibling<'gateway'>;
  let n = 0;
  let made: { id: number; user_case_id: string; receipt_number: string; user_id: number };
  const put = (body: object, as: Principal = { ...partner(), key_id: '4' } as Principal) =>
    cases.call('PUT', `/v1/client/cases/${made.id}`, { as, body });
  const read = async () => {
    const { body } = await cases.call('GET', `/v1/client/cases/${made.id}`);
    return {
      shown: partnerCaseWithUser.parse(body.case),
      updates: body.status_updates as { id: number; respond_by: unknown; detail_message: string }[],
    };
  };
  const create = async (first = evidence) => {
    n += 1;
    cases.monitorSays(async () => seen({ facts: facts(first), checked_at: new Date().toISOString() }));
    const body = { receipt_number: receipt(n), uscis_access_acknowledged: true };
    return (await cases.call('POST', '/v1/client/users/1/cases', { body })).body as unknown as {
      case: typeof made;
      status_updates: { respond_by: unknown }[];
    };
  };
  const changes = async () => {
    const { body } = await cases.call('GET', '/v1/client/changes');
    return (body.changes as { case: { id: number }; respond_by: unknown }[]).filter(
      (change) => change.case.id === made.id,
    );
  };
  /** USCIS shows something; returns once it is stored. */
  let observation = 1;
  const shows = async (over: object) => {
    observation += 1;
    const { id, user_case_id, receipt_number } = made;
    const event = statusUpdated(
      { id, user_case_id, receipt_number, user_id: 1, partner_id: 1 },
      { ...facts(evidence), observation, timestamp: new Date().toISOString(), ...over },
    );
    await cases.monitor.publish('status.updated', event);
    const updateId = event.status_update.id;
    await waitFor(async () => (await read()).updates.some((update) => update.id === updateId));
    return updateId;
  };
  const events = () =>
    cases.events.filter(
      ({ type, data }) => type === 'case.updated' && (data.case as typeof made).id === made.id,
    );

  beforeAll(async () => {
    cases = await startTestCases({ MAX_ACTIVE_CASES_PER_USER: '400' });
    cases.users.set(1, user(1));
    gateway = await startSibling('gateway', cases.nats);
  });
  afterAll(async () => {
    await gateway.stop();
    await cases.stop();
  });
  beforeEach(async () => {
    observation = 1;
    made = (await create()).case;
  });

  it('is stored with a first status that asks for an answer, and shown in all places', async () => {
    const answer = await create();
    made = answer.case;
    expect(answer.status_updates).toMatchObject([{ respond_by: estimate }]);
    const { shown, updates } = await read();
    expect(shown).toMatchObject({
      respond_by: estimate,
      respond_done: null,
      latest_update: { respond_by: estimate },
    });
    expect(updates).toMatchObject([{ respond_by: estimate }]);
    // Nobody else hears of a first status: reminders begin with this event.
    const isCreated = ({ type, data }: (typeof cases.events)[number]) =>
      type === 'case.created' && (data.case as { id: number }).id === made.id;
    expect((await waitFor(() => cases.events.find(isCreated)))?.data).toMatchObject({ respond_by: estimate });
    expect(await changes()).toMatchObject([
      { respond_by: estimate, status_update: { respond_by: estimate } },
    ]);
    const { body } = await cases.call('GET', `/v1/users/1/cases/${made.id}`, { as: endUser(1) });
    expect(body.status_updates).toMatchObject([{ respond_by: estimate }]);
    // The case of others has its own fields alone.
    expect(Object.keys(body.case as object)).not.toContain('respond_by');
    const check = await cases.call('POST', '/v1/check', { body: { receipt_number: made.receipt_number } });
    expect(check.body.status).toMatchObject({ respond_by: estimate });
  });

  it('is null with a status that asks for none', async () => {
    made = (await create({ ...evidence, status_code: 'Case Was Received', status_slug: 'case_was_received' }))
      .case;
    const { shown, updates } = await read();
    expect([shown.respond_by, shown.latest_update?.respond_by, updates[0]?.respond_by]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('is what the notice says once somebody typed it, until null goes back to the estimate', async () => {
    const answer = await put({ respond_by: noticeDay });
    expect(answer.status).toBe(200);
    expect(updatedCase.parse(answer.body.case)).toMatchObject({
      respond_by: notice,
      latest_update: { respond_by: notice },
    });
    const { shown, updates } = await read();
    expect(shown).toMatchObject({ respond_by: notice, latest_update: { respond_by: notice } });
    expect(updates).toMatchObject([{ respond_by: notice }]);
    expect(await changes()).toMatchObject([{ respond_by: notice }]);
    expect((await put({ respond_by: null })).body.case).toMatchObject({ respond_by: estimate });
    expect((await read()).updates).toMatchObject([{ respond_by: estimate }]);
    // As an event on the bus: the day, and nothing that names somebody.
    await waitFor(() => events().length === 2);
    expect(events().map(({ data }) => data.respond_by)).toEqual([notice, estimate]);
  });

  it('and the answer are not noted for a status that nobody has seen', async () => {
    const seenId = (await read()).shown.latest_update?.id;
    expect((await put({ respond_by: noticeDay, status_update_id: seenId })).status).toBe(200);
    const intent = {
      status_code: 'Notice of Intent to Deny Was Sent',
      status_slug: 'notice_of_intent_to_deny_was_sent',
      status_description: `On ${inWords(day(-1))}, we sent a notice of intent to deny for your Form I-130.`,
    };
    const shownId = await shows(intent);
    const before = (await read()).shown;
    for (const old of [{ respond_done: true }, { respond_by: noticeDay }, { respond_by: null }])
      expect(await put({ ...old, reference: 'old page', status_update_id: seenId })).toMatchObject({
        status: 409,
        body: { code: 'status_changed' },
      });
    expect((await read()).shown).toMatchObject({
      ...{ respond_by: before.respond_by, respond_done: null, reference: null },
    });
    const now = await put({ respond_done: true, status_update_id: shownId });
    expect([now.status, updatedCase.parse(now.body.case).respond_done !== null]).toEqual([200, true]);
  });

  it('is a notice also where the estimate is the same day', async () => {
    expect((await put({ respond_by: estimate.date })).body.case).toMatchObject({
      respond_by: { date: estimate.date, source: 'notice' },
    });
  });

  it('changes nothing and tells nobody where it was so before', async () => {
    await put({ respond_by: noticeDay });
    await waitFor(() => events().length === 1);
    await put({ respond_by: noticeDay, respond_done: false });
    await put({ reference: 'then' });
    await waitFor(() => events().length === 2);
    expect(events().map(({ data }) => data.version)).toEqual([2, 3]);
  });

  it.each([
    ['2027-02-29', 'validation_failed'],
    ['2027-13-01', 'validation_failed'],
    ['tomorrow', 'validation_failed'],
    ['2027-01-04T00:00:00Z', 'validation_failed'],
    [20270104, 'validation_failed'],
    [{ date: '2027-01-04' }, 'validation_failed'],
    [day(-91), 'validation_failed'],
    [day(368), 'validation_failed'],
    ['0001-01-01', 'validation_failed'],
  ])('is no %j', async (respond_by, code) => {
    const answer = await put({ respond_by });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.body.errors).toMatchObject([{ pointer: '#/respond_by' }]);
    expect((await read()).shown.respond_by).toEqual(estimate);
  });

  it.each([day(-89), day(365)])('may be %s', async (date) => {
    expect((await put({ respond_by: date })).body.case).toMatchObject({
      respond_by: { date, source: 'notice' },
    });
  });

  it('keeps a notice when USCIS changes the words of the status, and the update of the new words has it', async () => {
    await put({ respond_by: noticeDay, respond_done: true });
    const words = `${evidence.status_description} Send all of it.`;
    const id = await shows({ kind: 'details', status_description: words });
    const { shown, updates } = await read();
    expect(shown).toMatchObject({ respond_by: notice, latest_update: { id, respond_by: notice } });
    expect(shown.respond_done).not.toBeNull();
    expect(updates.map(({ respond_by }) => respond_by)).toEqual([notice, notice]);
    // Null now leads to the estimate of the new words.
    expect((await put({ respond_by: null })).body.case).toMatchObject({ respond_by: estimate });
  });

  it('follows new words where nobody typed a day', async () => {
    const status_description = sentOn(day(-9));
    await shows({ kind: 'details', status_description });
    expect((await read()).shown.respond_by).toEqual({ date: day(75), source: 'estimate' });
  });

  it('ends with another status, and so does what was done', async () => {
    await put({ respond_by: noticeDay, respond_done: true });
    await shows({ status_code: 'Case Was Approved', status_slug: 'case_was_approved', category: 'approved' });
    const { shown, updates } = await read();
    expect([shown.respond_by, shown.respond_done]).toEqual([null, null]);
    expect(updates.map(({ respond_by }) => respond_by)).toEqual([null, notice]);
    const stored = await cases.db.collection<{ _id: number }>('cases').findOne({ _id: made.id });
    expect(stored).toMatchObject({ due_on: '9999-12-31' });
  });

  it('is not moved by an older status that comes late', async () => {
    await shows({ observation: 5 });
    await put({ respond_by: noticeDay });
    const id = await shows({
      observation: 3,
      status_code: 'Case Was Received',
      status_slug: 'case_was_received',
    });
    const { shown, updates } = await read();
    expect(shown.respond_by).toEqual(notice);
    expect(updates.find((update) => update.id === id)?.respond_by).toBeNull();
  });

  it('is done once somebody says so, who is shown; a second time changes nothing, and false undoes it', async () => {
    const member = { ...partner(), staff_id: 12, role: 'editor' } as Principal;
    const first = (await put({ respond_done: true }, member)).body.case as {
      respond_done: { at: string; by: object };
    };
    expect(first.respond_done.by).toEqual({ kind: 'staff', id: 12 });
    expect(Math.abs(Date.now() - Date.parse(first.respond_done.at))).toBeLessThan(60_000);
    expect((await put({ respond_done: true })).body.case).toMatchObject({ respond_done: first.respond_done });
    const list = async () => {
      const { body } = await cases.call('GET', `/v1/client/cases?respond_before=${day(366)}&limit=100`);
      return (body.cases as { id: number }[]).some(({ id }) => id === made.id);
    };
    expect(await list()).toBe(false);
    expect((await put({ respond_done: false })).body.case).toMatchObject({
      respond_done: null,
      respond_by: estimate,
    });
    expect(await list()).toBe(true);
  });

  it('is that of either of two changes at the same time: the case, its update and the list agree', async () => {
    await Promise.all([
      put({ respond_by: day(10) }),
      put({ respond_by: day(11) }),
      shows({ kind: 'details', status_description: `${evidence.status_description} Soon.` }),
    ]);
    const { shown, updates } = await read();
    expect([day(10), day(11)]).toContain(shown.respond_by?.date);
    expect(shown.latest_update?.respond_by).toEqual(shown.respond_by);
    expect(updates[0]?.respond_by).toEqual(shown.respond_by);
    const stored = await cases.db.collection<{ _id: number }>('cases').findOne({ _id: made.id });
    expect(stored).toMatchObject({ due_on: shown.respond_by?.date });
  });

  it('stands in the calendar of who works on the case, or of everybody, until it is done', async () => {
    const [mine, others] = [31, 32];
    for (const id of [mine, others])
      cases.members.set(id, { partner_id: 1, name: `Member ${id}`, status: 'active', removed_at: null });
    const due = async (staff_id: number, partner_id = 1) => {
      const answer = await gateway.bus.request('cases.due', { partner_id, staff_id });
      return answer.due.find(({ user_case_id }) => user_case_id === made.user_case_id);
    };
    await put({ respond_by: noticeDay, reference: '2024-7' });
    const first = await due(mine);
    expect(first).toMatchObject({ date: noticeDay, reference: '2024-7' });
    expect(Object.keys(first ?? {}).sort()).toEqual([
      'changed_at',
      'date',
      'reference',
      'user_case_id',
      'version',
    ]);
    expect(await due(mine, 2)).toBeUndefined();
    await put({ assignee_id: others });
    expect([await due(mine), (await due(others))?.date]).toEqual([undefined, noticeDay]);
    await put({ respond_done: true });
    expect(await due(others)).toBeUndefined();
    await put({ respond_done: false });
    expect((await due(others))?.version).toBeGreaterThan(first?.version ?? 0);
  });

  it('is not for people: their own change of the case has no such field', async () => {
    for (const body of [{ respond_by: noticeDay }, { respond_done: true }]) {
      const answer = await cases.call('PUT', `/v1/users/1/cases/${made.id}`, { as: endUser(1), body });
      expect(answer.status).toBe(400);
    }
  });

  it('is added at the start to cases that were stored without, and to no others', async () => {
    const rows = cases.db.collection<{ _id: number }>('cases');
    const updates = cases.db.collection<{ _id: number; case_id: number }>('status_updates');
    const unset = {
      $unset: { respond_by: '', respond_done: '', due_on: '', 'latest_update.respond_by': '' } as const,
    };
    await rows.updateOne({ _id: made.id }, unset as object);
    await updates.updateMany({ case_id: made.id }, { $unset: { respond_by: '' } } as object);
    const old = made;
    made = (await create()).case;
    await put({ respond_by: noticeDay });
    createStores(cases.db);
    await database.prepare?.(cases.db);
    expect((await read()).shown.respond_by).toEqual(notice);
    made = old;
    const { shown, updates: shownUpdates } = await read();
    expect(shown).toMatchObject({ respond_by: estimate, latest_update: { respond_by: estimate } });
    expect(shownUpdates).toMatchObject([{ respond_by: estimate }]);
    expect(await rows.findOne({ _id: old.id })).toMatchObject({ due_on: estimate.date, respond_done: null });
    expect((await put({ respond_by: noticeDay })).body.case).toMatchObject({ respond_by: notice });
    expect((await read()).updates).toMatchObject([{ respond_by: notice }]);
  });
});
