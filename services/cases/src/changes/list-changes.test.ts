import {
  type CheckReply,
  type EventData,
  type PartnerChange,
  partnerChange,
  type Scope,
} from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CaseInEvent,
  facts,
  notification,
  receipt,
  seen,
  statusUpdated,
  user,
} from '../../test/support/fixtures.ts';
import { type Cases, endUser, partner, startTestCases } from '../../test/support/start-cases.ts';

const evidence = {
  status_code: 'Request for Additional Evidence Was Sent',
  status_slug: 'request_for_additional_evidence_was_sent',
  category: 'evidence',
};
const denied = { status_code: 'Case Was Denied', status_slug: 'case_was_denied', category: 'denied' };
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

describe('GET /v1/client/changes', () => {
  let cases: Cases;
  let lastUser = 0;
  let lastReceipt = 0;
  /** The firm of the test, with a user and a case of its own. */
  let firm = 0;
  let ofCase: CaseInEvent;

  const as = (scopes: Scope[] = ['cases:read', 'cases:write', 'users:read']) => ({
    ...partner(firm),
    scopes,
  });
  const list = async (query = '', caller = as()) => {
    const { status, body } = await cases.call('GET', `/v1/client/changes${query}`, { as: caller });
    return { status, body, changes: (body.changes ?? []) as PartnerChange[] };
  };
  const ids = async (query = '') => (await list(query)).changes.map(({ id }) => id);

  const addCase = async (userId: number, first: CheckReply = seen()): Promise<CaseInEvent> => {
    lastReceipt += 1;
    cases.monitorSays(async () => first);
    const receipt_number = receipt(lastReceipt);
    const body = { receipt_number, uscis_access_acknowledged: true, description: `Case ${lastReceipt}` };
    const made = await cases.call('POST', `/v1/client/users/${userId}/cases`, { as: partner(firm), body });
    expect(made.status).toBe(201);
    const { id, user_case_id } = made.body.case as CaseInEvent;
    return { id, user_case_id, receipt_number, user_id: userId, partner_id: firm };
  };

  /** A change of the case, when it is stored. Returns its id. */
  const change = async (of: CaseInEvent, over: Parameters<typeof statusUpdated>[1] = {}): Promise<number> => {
    const event = statusUpdated(of, over);
    await cases.monitor.publish('status.updated', event);
    await isStored(event.status_update.id);
    return event.status_update.id;
  };
  const isStored = (id: number) =>
    waitFor(() => cases.db.collection<{ _id: number }>('status_updates').findOne({ _id: id }));
  const monitoring = async (
    of: CaseInEvent,
    over: Partial<EventData<'status.monitoring_changed'>> & { state: 'not_found' | 'rejected' | 'watched' },
  ) => {
    const { state, revision = 1, since = minutesAgo(5).toISOString() } = over;
    const event = { case: of, next_check_at: null, case_version: 1, ...over, state, revision, since };
    await cases.monitor.publish('status.monitoring_changed', event);
    await waitFor(async () => {
      const row = await cases.db
        .collection<{ _id: number; monitoring: { revision: number } }>('cases')
        .findOne({ _id: of.id });
      return (row?.monitoring.revision ?? 0) >= revision;
    });
  };
  /** As if the change had been stored at another time. */
  const moveTo = async (id: number, at: Date) => {
    const rows = cases.db.collection<{ _id: number }>('status_updates');
    await rows.updateOne({ _id: id }, { $set: { 'change.at': at } });
  };

  beforeAll(async () => {
    cases = await startTestCases();
  });
  afterAll(async () => await cases.stop());
  beforeEach(async () => {
    firm += 1;
    lastUser += 1;
    cases.users.set(
      lastUser,
      user(lastUser, { partner_id: firm, name: 'Ana Silva', preferred_language: 'es' }),
    );
    ofCase = await addCase(lastUser);
  });

  it('tells who was told: the user on each channel, and members alone of a state of monitoring', async () => {
    const id = await change(ofCase, { observation: 2, ...denied });
    const toldOf = async () => (await list()).changes.map(({ told }) => told);
    const pending = { status: 'pending', sent_at: null };
    expect(await toldOf()).toEqual([{ user: { email: pending, whatsapp: pending }, staff: [] }]);
    await cases.notifier.publish('notification.updated', notification(ofCase, id));
    const sent = { status: 'sent', sent_at: '2026-11-21 09:00:05' };
    await waitFor(async () => (await toldOf())[0]?.user?.email.status === 'sent');
    expect(await toldOf()).toEqual([{ user: { email: sent, whatsapp: pending }, staff: [] }]);
    await monitoring(ofCase, { state: 'rejected' });
    expect((await toldOf())[0]).toEqual({ user: null, staff: [] });
    const stored = await cases.db
      .collection<{ monitoring: { since: Date } }>('status_updates')
      .findOne({ 'monitoring.state': 'rejected', case_id: ofCase.id });
    const exact = { state: 'rejected', since: stored?.monitoring.since.toISOString() ?? '' } as const;
    cases.members.set(firm * 100, {
      partner_id: firm,
      name: 'Ana Silva',
      status: 'active',
      removed_at: null,
    });
    await cases.notifier.publish('alert.updated', {
      ...{ status_update_id: null, monitoring: exact, case_id: ofCase.id, staff_id: firm * 100 },
      ...{ status: 'sent', sent_at: '2026-11-21T10:02:05.000Z', revision: 2 },
    });
    await waitFor(async () => (await toldOf())[0]?.staff.length === 1);
    expect((await toldOf())[0]).toEqual({
      user: null,
      staff: [{ staff_id: firm * 100, name: 'Ana Silva', status: 'sent', sent_at: '2026-11-21 10:02:05' }],
    });
  });

  it('names the members who were told, a removed one too, for a key that sees no users as well, and on the page of the case', async () => {
    const id = await change(ofCase, { observation: 2, ...denied });
    const [ana, bia] = [firm * 100, firm * 100 + 1];
    cases.members.set(ana, { partner_id: firm, name: 'Ana Silva', status: 'active', removed_at: null });
    const removed_at = new Date().toISOString();
    cases.members.set(bia, { partner_id: firm, name: 'Bia Reis', status: 'disabled', removed_at });
    const stranger = firm * 100 + 2;
    cases.members.set(stranger, {
      partner_id: firm + 1,
      name: 'A Stranger',
      status: 'active',
      removed_at: null,
    });
    const event = { status_update_id: id, monitoring: null, case_id: ofCase.id, revision: 1 };
    const sent_at = '2026-11-21T10:02:05.000Z';
    await cases.notifier.publish('alert.updated', { ...event, staff_id: bia, status: 'sent', sent_at });
    await cases.notifier.publish('alert.updated', {
      ...event,
      staff_id: stranger,
      status: 'failed',
      sent_at: null,
    });
    await cases.notifier.publish('alert.updated', {
      ...event,
      staff_id: ana,
      status: 'pending',
      sent_at: null,
    });
    const staff = [
      { staff_id: ana, name: 'Ana Silva', status: 'pending', sent_at: null },
      { staff_id: bia, name: 'Bia Reis', status: 'sent', sent_at: '2026-11-21 10:02:05' },
      { staff_id: stranger, name: null, status: 'failed', sent_at: null },
    ];
    const seesNoUsers = as(['cases:read']);
    await waitFor(async () => (await list()).changes[0]?.told.staff?.length === staff.length);
    const { changes, body } = await list('', seesNoUsers);
    expect(changes[0]).toMatchObject({ user: null, told: { staff } });
    expect(partnerChange.safeParse(changes[0]).success).toBe(true);
    expect(JSON.stringify(body)).not.toContain('Stranger');
    const read = await cases.call('GET', `/v1/client/cases/${ofCase.id}`, { as: seesNoUsers });
    expect(read.body.told).toEqual([{ status_update_id: id, staff }]);
    const own = await cases.call('GET', `/v1/users/${ofCase.user_id}/cases/${ofCase.id}`, {
      as: endUser(ofCase.user_id),
    });
    expect(own.status).toBe(200);
    expect(own.body).not.toHaveProperty('told');
  });

  it('finds the changes of who works on the case, whenever it was assigned, also with other filters', async () => {
    const [ana, bia] = [firm * 10, firm * 10 + 1];
    for (const id of [ana, bia])
      cases.members.set(id, { partner_id: firm, name: 'M', status: 'active', removed_at: null });
    const assign = async (of: CaseInEvent, assignee_id: number | null) => {
      const body = { assignee_id };
      const answer = await cases.call('PUT', `/v1/client/cases/${of.id}`, { as: as(), body });
      expect(answer.status).toBe(200);
    };
    const other = await addCase(lastUser);
    const before = await change(ofCase, { observation: 2, ...evidence });
    const ofOther = await change(other, { observation: 2, ...denied });
    await assign(ofCase, ana);
    const after = await change(ofCase, { observation: 3 });
    await monitoring(ofCase, { state: 'not_found' });
    const [newest] = await ids(`?assignee_id=${ana}&limit=1`);
    expect(await ids(`?assignee_id=${ana}`)).toEqual([newest, after, before]);
    expect(newest).toBeGreaterThan(2 ** 52);
    expect(await ids(`?assignee_id=${ana}&category=evidence`)).toEqual([before]);
    expect(await ids(`?assignee_id=${ana}&urgent=true`)).toEqual([newest, before]);
    await assign(other, bia);
    expect(await ids(`?assignee_id=${bia}`)).toEqual([ofOther]);
    await assign(ofCase, bia);
    expect(await ids(`?assignee_id=${ana}`)).toEqual([]);
    await cases.identity.publish('staff.deleted', {
      staff_id: bia,
      partner_id: firm,
      version: 2,
      reassign_to: ana,
    });
    await waitFor(async () => (await ids(`?assignee_id=${ana}`)).length === 4);
    expect(await ids(`?assignee_id=${bia}`)).toEqual([]);
    await assign(ofCase, null);
    expect(await ids(`?assignee_id=${ana}`)).toEqual([ofOther]);
  });

  it('shows updates, not cases: a change that was followed by another stays', async () => {
    const first = await change(ofCase, { observation: 2, ...evidence });
    const second = await change(ofCase, { observation: 3 });
    const { status, body, changes } = await list();
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['changes', 'has_more', 'next_cursor']);
    for (const row of changes) partnerChange.parse(row);
    expect(changes.map(({ id }) => id)).toEqual([second, first]);
    expect(changes[1]).toMatchObject({
      case: {
        id: ofCase.id,
        user_case_id: ofCase.user_case_id,
        receipt_number: ofCase.receipt_number,
        description: `Case ${lastReceipt}`,
      },
      user: { id: lastUser, name: 'Ana Silva', email: `person${lastUser}@example.test` },
      status_update: { id: first, category: 'evidence', email_notify_status: 'pending' },
      previous_status_code: 'Case Was Received',
      monitoring: null,
      urgent: true,
      already_open: false,
      reviewed_at: null,
      reviewed_by: null,
    });
    expect(changes[1]?.status_update?.detail_message).toMatch(/^USCIS pide más documentos/);
    expect(changes[0]).toMatchObject({ urgent: false });
  });

  it.each([
    ['a translation', { kind: 'translation' as const }, null],
    ['an update with nothing new to read', {}, 'no_content_change' as const],
    ['another first status', { kind: 'baseline' as const }, 'baseline' as const],
  ])('does not show %s', async (_what, over, reason) => {
    const event = statusUpdated(ofCase, over, reason);
    await cases.monitor.publish('status.updated', event);
    await isStored(event.status_update.id);
    const shown = await change(ofCase, { observation: 9 });
    expect(await ids()).toEqual([shown]);
  });

  it.each([
    ['a request for evidence', facts(evidence), true],
    [
      'a request that the table does not know',
      facts({
        status_code: 'Request For Something New Was Sent',
        status_slug: 'unknown',
        category: 'evidence',
      }),
      true,
    ],
    ['a notice of intent', facts({ ...evidence, status_code: 'Notice Of Intent To Deny Was Sent' }), true],
    [
      'evidence that has arrived',
      facts({ ...evidence, status_code: "Response To USCIS' Request For Evidence Was Received" }),
      false,
    ],
    ['a denial', facts(denied), false],
    ['a receipt', facts(), false],
  ])('begins with %s: already open is %j', async (_what, first, isOpen) => {
    await addCase(lastUser, seen({ facts: first }));
    const { changes } = await list();
    expect(
      changes.map(({ already_open, urgent, status_update }) => [already_open, urgent, status_update?.kind]),
    ).toEqual(isOpen ? [[true, true, 'baseline']] : []);
  });

  it.each([
    ['a request for evidence', true, evidence],
    ['a denial', false, denied],
  ])('whose first check came later begins with %s: already open is %j', async (_what, isOpen, first) => {
    const updates = cases.db.collection<{ _id: number }>('status_updates');
    lastReceipt += 1;
    const body = {
      receipt_number: receipt(lastReceipt),
      uscis_access_acknowledged: true,
      first_check: 'deferred',
    };
    const path = `/v1/client/users/${lastUser}/cases`;
    const made = await cases.call('POST', path, { as: partner(firm), body });
    expect(made.status).toBe(201);
    const { id, user_case_id, receipt_number } = made.body.case as CaseInEvent;
    const of = { id, user_case_id, receipt_number, user_id: lastUser, partner_id: firm };
    const event = statusUpdated(of, { observation: 1, kind: 'baseline', ...first }, 'baseline');
    await cases.monitor.publish('status.updated', { ...event, previous_status_code: null });
    await waitFor(() => updates.findOne({ _id: event.status_update.id }));
    const { changes } = await list();
    expect(
      changes.map(({ already_open, urgent, previous_status_code, case: row }) => [
        row.id,
        already_open,
        urgent,
        previous_status_code,
      ]),
    ).toEqual(isOpen ? [[id, true, true, null]] : []);
  });

  it('shows a change whose notification was reported first', async () => {
    const event = statusUpdated(ofCase, evidence);
    const { id } = event.status_update;
    await cases.notifier.publish('notification.updated', {
      status_update_id: id,
      case_id: ofCase.id,
      user_id: ofCase.user_id,
      partner_id: firm,
      channel: 'email',
      revision: 2,
      status: 'sent',
      attempts: 1,
      last_error: null,
      sent_at: '2026-11-21T09:00:05.000Z',
    });
    await isStored(id);
    expect(await ids()).toEqual([]);
    await cases.monitor.publish('status.updated', event);
    await waitFor(async () => (await ids()).length > 0);
    expect((await list()).changes).toMatchObject([{ id, status_update: { email_notify_status: 'sent' } }]);
  });

  it('shows a state of monitoring that is urgent once, with an id of its own', async () => {
    const since = minutesAgo(5).toISOString();
    await monitoring(ofCase, { state: 'not_found', revision: 2, since });
    await monitoring(ofCase, { state: 'not_found', revision: 3, since });
    await monitoring(ofCase, { state: 'watched', revision: 4 });
    const { changes } = await list();
    expect(changes).toMatchObject([
      { status_update: null, previous_status_code: null, monitoring: { state: 'not_found' }, urgent: true },
    ]);
    expect(changes[0]?.monitoring?.since).toBe(since.slice(0, 19).replace('T', ' '));
    await monitoring(ofCase, { state: 'rejected', revision: 5 });
    expect((await list()).changes.map((row) => row.monitoring?.state)).toEqual(['rejected', 'not_found']);
    expect((await list('?urgent=true')).changes).toHaveLength(2);
    expect((await list('?category=received,unknown')).changes).toEqual([]);
    const [{ id = 0 } = {}] = (await list()).changes;
    expect(id).toBeGreaterThan(2 ** 52);
    expect(Number.isSafeInteger(id)).toBe(true);
  });

  it('shows that a check is overdue once, and again after a check', async () => {
    const overdue = async (since: string) => {
      await cases.monitor.publish('status.check_overdue', { case: ofCase, last_checked: null, since });
      await waitFor(() =>
        cases.db.collection('cases').findOne({ _id: ofCase.id as never, overdue_since: new Date(since) }),
      );
    };
    const states = async () => (await list()).changes.map((row) => row.monitoring?.state);
    const [first, checked, second] = [1, 2, 3].map((n) =>
      new Date(Date.now() + n * 60_000).toISOString(),
    ) as [string, string, string];
    await overdue(first);
    await overdue(first);
    expect(await states()).toEqual(['overdue']);
    cases.monitor.bus.publish('status.checked', {
      checked_at: checked,
      next_check_at: null,
      case_ids: [ofCase.id],
    });
    await waitFor(() =>
      cases.db.collection('cases').findOne({ _id: ofCase.id as never, overdue_since: null }),
    );
    await overdue(second);
    expect(await states()).toEqual(['overdue', 'overdue']);
  });

  it('shows no name to a key without users:read, whose list identity cannot stop', async () => {
    await change(ofCase, evidence);
    const { status, changes } = await list('', as(['cases:read']));
    expect([status, changes[0]?.user]).toEqual([200, null]);
    expect(JSON.stringify(changes)).not.toMatch(/Ana|Silva|person\d/);
  });

  it('goes on for a case that is paused, and leaves out one that is deleted, with its reviews', async () => {
    const kept = await change(ofCase, evidence);
    await cases.call('PUT', `/v1/users/${lastUser}/cases/${ofCase.id}`, {
      as: as(),
      body: { active: false },
    });
    const other = await addCase(lastUser);
    await change(other);
    await monitoring(other, { state: 'rejected' });
    expect(await ids()).toHaveLength(3);
    const path = `/v1/users/${lastUser}/cases/${other.id}`;
    expect((await cases.call('DELETE', path, { as: endUser(lastUser, firm) })).status).toBe(200);
    expect(await ids()).toEqual([kept]);
    expect(await cases.db.collection('status_updates').countDocuments({ case_id: other.id })).toBe(0);
  });

  it('leaves out a user who is deleted, before and after the erasure', async () => {
    await change(ofCase, evidence);
    await monitoring(ofCase, { state: 'not_found' });
    cases.users.delete(lastUser);
    expect((await list()).changes).toEqual([]);
    await cases.identity.publish('user.deleted', {
      user_id: lastUser,
      partner_id: firm,
      version: 2,
    } as never);
    await waitFor(
      async () => (await cases.db.collection('status_updates').countDocuments({ case_id: ofCase.id })) === 0,
    );
    expect((await list()).changes).toEqual([]);
  });

  it('is of one firm: another sees nothing, and a direct user makes no change for anybody', async () => {
    await change(ofCase, evidence);
    expect((await list('', { ...as(), partner_id: firm + 1_000 } as never)).changes).toEqual([]);
    expect((await list('', endUser(lastUser, firm) as never)).status).toBe(401);
  });

  describe('filters and order', () => {
    let made: number[];
    beforeEach(async () => {
      const [old, asked, approved] = [
        await change(ofCase, { observation: 2, ...denied }),
        await change(ofCase, { observation: 3, ...evidence }),
        await change(ofCase, { observation: 4 }),
      ];
      for (const [id, minutes] of [
        [old, 300],
        [asked, 200],
        [approved, 100],
      ] as const)
        await moveTo(id, minutesAgo(minutes));
      made = [old, asked, approved];
      const review = { ids: [old], reviewed: true };
      await cases.call('POST', '/v1/client/changes/review', { as: as(), body: review });
    });

    it.each([
      ['', [2, 1, 0]],
      ['sort=at', [0, 1, 2]],
      ['urgent=true', [1, 0]],
      ['urgent=false', [2]],
      ['reviewed=true', [0]],
      ['reviewed=false', [2, 1]],
      ['urgent=true&reviewed=false', [1]],
      ['category=evidence', [1]],
      ['category=evidence,denied&reviewed=false', [1]],
      ['category=card', []],
    ])('%s', async (query, expected) => {
      for (const limit of [1, 2, 100]) {
        const found: number[] = [];
        for (let cursor: string | null = ''; cursor !== null; ) {
          const { body, changes } = await list(`?limit=${limit}&${query}${cursor && `&cursor=${cursor}`}`);
          found.push(...changes.map(({ id }) => id));
          cursor = body.has_more ? String(body.next_cursor) : null;
        }
        expect(found).toEqual(expected.map((i) => made[i]));
      }
    });

    it('since and until', async () => {
      const since = minutesAgo(250).toISOString();
      const until = minutesAgo(150).toISOString();
      expect(await ids(`?since=${since}&until=${until}`)).toEqual([made[1]]);
      expect(await ids(`?since=${since}`)).toEqual([made[2], made[1]]);
      expect(await ids(`?until=${until}&sort=at`)).toEqual([made[0], made[1]]);
    });

    it('orders changes of the same moment by their ids, on both sides of a page', async () => {
      const moment = minutesAgo(50);
      for (const id of made) await moveTo(id, moment);
      const walk = async (sort: string) => {
        const first = await list(`?limit=2&sort=${sort}`);
        const second = await list(`?limit=2&sort=${sort}&cursor=${first.body.next_cursor}`);
        return [...first.changes, ...second.changes].map(({ id }) => id);
      };
      expect(await walk('-at')).toEqual(made.toReversed());
      expect(await walk('at')).toEqual(made);
    });
  });

  it('polls forward: each change once, none before it is settled, and the cursor goes on after an empty page', async () => {
    const first = await change(ofCase, { observation: 2 });
    const empty = await list('?sort=at');
    expect(empty.changes).toEqual([]);
    expect(empty.body).toMatchObject({ has_more: false, next_cursor: expect.any(String) });
    await moveTo(first, minutesAgo(10));
    const poll = async (cursor: unknown) => await list(`?sort=at&cursor=${cursor}`);
    const page = await poll(empty.body.next_cursor);
    expect(page.changes.map(({ id }) => id)).toEqual([first]);
    const again = await poll(page.body.next_cursor);
    expect(again.changes).toEqual([]);
    const second = await change(ofCase, { observation: 3 });
    await moveTo(second, minutesAgo(1));
    expect((await poll(again.body.next_cursor)).changes.map(({ id }) => id)).toEqual([second]);
    expect((await ids())[0]).toBe(second);
  });

  it('refuses a cursor of another filter, order or firm, and unknown parameters', async () => {
    await change(ofCase, { observation: 2 });
    await change(ofCase, { observation: 3 });
    const cursor = (await list('?limit=1')).body.next_cursor;
    const refused = [
      await list(`?limit=1&urgent=true&cursor=${cursor}`),
      await list(`?limit=1&sort=at&cursor=${cursor}`),
      await list(`?limit=1&cursor=${cursor}`, { ...as(), partner_id: firm + 1_000 } as never),
    ];
    for (const { status, body } of refused) expect([status, body.code]).toEqual([400, 'invalid_cursor']);
    for (const query of [
      'limit=0',
      'urgent=yes',
      'reviewed=1',
      'sort=-id',
      'since=today',
      'assignee=1',
      'category=,',
    ])
      expect((await list(`?${query}`)).status).toBe(400);
  });

  // The last one: identity answers no more.
  it('is 503 without identity for a key that sees names; others read English', async () => {
    await change(ofCase, evidence);
    cases.setIdentityAway();
    expect((await list()).status).toBe(503);
    const { status, changes } = await list('', as(['cases:read']));
    expect(status).toBe(200);
    expect(changes[0]?.status_update?.detail_message).toMatch(/^Before it decides, USCIS asks/);
  });
});
