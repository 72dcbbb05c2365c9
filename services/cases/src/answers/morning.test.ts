import type { RequestInput } from '@casewatch/contracts';
import { startSibling, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CaseInEvent, receipt, statusUpdated, user } from '../../test/support/fixtures.ts';
import { type Cases, startTestCases } from '../../test/support/start-cases.ts';

type Row = { _id: number } & Record<string, unknown>;

describe('cases.morning', () => {
  let cases: Cases;
  let lastUser = 4_000;
  beforeAll(async () => {
    cases = await startTestCases();
  });
  afterAll(async () => await cases.stop());

  async function create(over: Record<string, unknown> = {}): Promise<CaseInEvent> {
    const userId = ++lastUser;
    cases.users.set(userId, user(userId));
    const body = { receipt_number: receipt(userId), uscis_access_acknowledged: true };
    const reply = await cases.call('POST', `/v1/client/users/${userId}/cases`, { body });
    const { id, user_case_id, receipt_number } = reply.body.case as CaseInEvent;
    if (Object.keys(over).length > 0)
      await cases.db.collection<Row>('cases').updateOne({ _id: id }, { $set: over });
    return { id, user_case_id, receipt_number, user_id: userId, partner_id: 1 };
  }
  async function change(one: CaseInEvent): Promise<void> {
    await cases.monitor.publish('status.updated', statusUpdated(one));
    await waitFor(async () => await updates().findOne({ case_id: one.id, 'change.at': { $exists: true } }));
  }
  const updates = () => cases.db.collection<Row>('status_updates');
  /** As the database holds changes; which of them a member sees depends on nothing else. */
  const mark = (one: CaseInEvent, set: Record<string, unknown>) =>
    updates().updateOne({ case_id: one.id, 'change.at': { $exists: true } }, { $set: set });
  const ask = (over: Partial<RequestInput<'cases.morning'>> = {}) =>
    cases.notifier.bus.request('cases.morning', {
      ...{ partner_id: 1, staff_id: 7, scope: 'all', from: '2026-12-01', until: '2026-12-15', limit: 50 },
      user_ids: [],
      ...over,
    });

  it('answers what nobody has reviewed, urgent first, and counts all of it, for the member’s scope', async () => {
    const [own, nobodys, others, done, urgent] = await Promise.all([
      create({ assignee_id: 7 }),
      create({ reference: '2026-114' }),
      create({ assignee_id: 8 }),
      create(),
      create(),
    ]);
    for (const one of [own, nobodys, others, done, urgent]) await change(one);
    await mark(own, { 'change.assignee_id': 7, 'change.urgent': false });
    await mark(nobodys, { 'change.urgent': false });
    await mark(others, { 'change.assignee_id': 8, 'change.urgent': false });
    await mark(done, { 'change.reviewed': true, 'change.urgent': true });
    await mark(urgent, { 'change.urgent': true });
    const refs = (reply: Awaited<ReturnType<typeof ask>>) =>
      reply.changes.map(({ user_case_id }) => user_case_id);
    const all = await ask();
    expect(refs(all)).toEqual([urgent, others, nobodys, own].map(({ user_case_id }) => user_case_id));
    expect(all.total).toBe(4);
    const mine = await ask({ scope: 'mine' });
    expect(refs(mine)).toEqual([urgent, nobodys, own].map(({ user_case_id }) => user_case_id));
    expect(mine.total).toBe(3);
    expect(mine.changes[1]).toMatchObject({
      user_id: nobodys.user_id,
      reference: '2026-114',
      receipt_number: nobodys.receipt_number,
      monitoring: null,
    });
    // Once the answer is sent, or another status came, USCIS waits for none.
    const answered = async () => (await ask({ scope: 'mine' })).changes.map((change) => change.is_answered);
    const setCase = ({ id }: { id: number }, set: object) =>
      cases.db.collection<{ _id: number }>('cases').updateOne({ _id: id }, { $set: set });
    expect(await answered()).toEqual([false, false, false]);
    await setCase(urgent, { respond_done: { at: new Date(), by: { kind: 'key', id: 1 } } });
    await setCase(nobodys, { 'latest_update.id': 99_999_999 });
    expect(await answered()).toEqual([true, true, false]);
    const first = await ask({ scope: 'mine', limit: 1 });
    expect([refs(first), first.total]).toEqual([[urgent.user_case_id], 3]);
    expect(await ask({ partner_id: 999 })).toEqual({
      changes: [],
      total: 0,
      due: [],
      due_total: 0,
      user_ids: [],
    });
  });

  it('answers the dates of the days that are asked for, for the scope, and not what is done', async () => {
    const due = (date: string, over: Record<string, unknown> = {}) =>
      create({ due_on: date, respond_by: { date, source: 'notice' }, ...over });
    const [last, first, others] = [
      await due('2026-12-15', { assignee_id: 7 }),
      await due('2026-12-01'),
      await due('2026-12-02', { assignee_id: 8 }),
    ];
    await due('2026-11-30');
    await due('2026-12-16');
    await create({ due_on: '9999-12-31', respond_by: { date: '2026-12-03', source: 'notice' } });
    const refs = (reply: Awaited<ReturnType<typeof ask>>) =>
      reply.due.map(({ user_case_id }) => user_case_id);
    const all = await ask();
    expect(refs(all)).toEqual([first, others, last].map(({ user_case_id }) => user_case_id));
    expect(all.due_total).toBe(3);
    const mine = await ask({ scope: 'mine', limit: 1 });
    expect([refs(mine), mine.due_total]).toEqual([[first.user_case_id], 2]);
    expect(mine.due[0]?.respond_by).toEqual({ date: '2026-12-01', source: 'notice' });
  });

  it('gives a case of a member who is disabled to everybody, as one that has nobody', async () => {
    const partner_id = 55;
    const rows = cases.db.collection<Row>('cases');
    const [disabled, active] = [8, 9];
    const ofPartner = (over: Record<string, unknown>) => create({ partner_id, ...over });
    const dated = { due_on: '2026-12-02', respond_by: { date: '2026-12-02', source: 'notice' } };
    const [lost, kept] = [
      await ofPartner({ assignee_id: disabled }),
      await ofPartner({ assignee_id: active }),
    ];
    for (const [one, assignee] of [
      [lost, disabled],
      [kept, active],
    ] as const) {
      await change(one);
      await mark(one, { 'change.partner_id': partner_id, 'change.assignee_id': assignee });
      await rows.updateOne({ _id: one.id }, { $set: dated });
    }
    const user_ids = [lost.user_id, kept.user_id];
    const mine = (active_ids: number[]) => ask({ partner_id, scope: 'mine', user_ids, active_ids });
    expect(await mine([7, disabled, active])).toMatchObject({ changes: [], total: 0, due: [], user_ids: [] });
    const reply = await mine([7, active]);
    expect(reply).toMatchObject({
      changes: [{ user_case_id: lost.user_case_id }],
      total: 1,
      due: [{ user_case_id: lost.user_case_id }],
      due_total: 1,
      user_ids: [lost.user_id],
    });
    expect([reply.changes.length, reply.due.length]).toEqual([1, 1]);
    const gateway = await startSibling('gateway', cases.nats);
    const calendar = async (active_ids: number[]) => {
      const { due } = await gateway.bus.request('cases.due', { partner_id, staff_id: 7, active_ids });
      return due.map(({ user_case_id }) => user_case_id);
    };
    expect([await calendar([7, disabled, active]), await calendar([7, active])]).toEqual([
      [],
      [lost.user_case_id],
    ]);
    await gateway.stop();
    await rows.deleteMany({ partner_id });
  });

  it('says which people have an active case that the member sees', async () => {
    const [own, others, paused] = [
      await create({ assignee_id: 7 }),
      await create({ assignee_id: 8 }),
      await create({ active: false }),
    ];
    const user_ids = [own, others, paused].map(({ user_id }) => user_id);
    expect((await ask({ user_ids })).user_ids.toSorted()).toEqual([own.user_id, others.user_id]);
    expect((await ask({ user_ids, scope: 'mine' })).user_ids).toEqual([own.user_id]);
    expect((await ask({ user_ids, partner_id: 2 })).user_ids).toEqual([]);
  });

  it('counts all of many, also where half of them are of others', async () => {
    const rows = updates();
    const template = await rows.findOne({ 'change.at': { $exists: true } });
    if (template === null) throw new Error('no change');
    const others = Array.from({ length: 2_000 }, (_, i) => ({
      ...template,
      _id: 8_000_000 + i,
      change: {
        ...(template.change as object),
        partner_id: 77,
        urgent: false,
        reviewed: false,
        at: new Date(Date.UTC(2026, 10, 1) + i * 1_000),
        assignee_id: i % 2 === 0 ? 7 : 8,
      },
    }));
    await rows.insertMany(others);
    expect((await ask({ partner_id: 77, scope: 'mine' })).total).toBe(1_000);
    expect((await ask({ partner_id: 77 })).total).toBe(2_000);
    expect((await ask({ partner_id: 77 })).changes).toHaveLength(50);
  });

  it('cases.firms answers each partner with cases once, after the one that is named', async () => {
    await create();
    const { partner_ids } = await cases.notifier.bus.request('cases.firms', { after: 0 });
    expect(partner_ids).toEqual([1]);
    expect(await cases.notifier.bus.request('cases.firms', { after: 1 })).toEqual({ partner_ids: [] });
  });
});
