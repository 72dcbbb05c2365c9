import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aFirm, aMember, urgentChange } from '../support/firm.ts';
import { anUpdate, aUser } from '../support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from '../support/start-notifier.ts';

type Row = { _id: string } & Record<string, unknown>;

const hourMs = 60 * 60 * 1_000;
/** Longer than a busy machine takes. */
const patience = { timeoutMs: 60_000 };

/** Each test has a partner of its own. */
describe('alerts that wait', () => {
  let notifier: TestNotifier;
  let next = 1_000;
  beforeAll(async () => {
    notifier = await startTestNotifier({}, { ownMongo: true });
  });
  afterAll(() => notifier.stop());
  beforeEach(async () => {
    notifier.away.clear();
    await notifier.mailFault({ mode: 'none' });
  });

  const rowsOf = (name: 'alerts' | 'alert_turns' | 'member_mails' | 'firm_news') =>
    notifier.db.collection<Row>(name);
  const mailsTo = (id: number) => notifier.mails(`member-${id}@firm.example`);
  const arrives = async (id: number, count = 1) =>
    await waitFor(async () => (await mailsTo(id)).length >= count && (await mailsTo(id)), {
      ...patience,
      what: `mail ${count} to ${id}`,
    });

  /** A change of a new case of the partner. */
  async function change(partner_id: number, over: Parameters<typeof anUpdate>[2] = {}) {
    next += 1;
    const id = next;
    notifier.users.set(id, aUser(id, { notify_by_email: false, notify_by_whatsapp: false }));
    notifier.changedCases.set(id, { ...notifier.changedCases.get(id), partner_id });
    const update = anUpdate(id, id, over);
    await notifier.monitor.publish('status.updated', { ...update, case: { ...update.case, partner_id } });
    return id;
  }

  /** One more of a case; `id` is the StatusUpdate's. */
  async function follow(caseId: number, id: number, partner_id: number) {
    const { case: reference } = anUpdate(caseId, caseId);
    const update = { ...anUpdate(id, caseId, urgentChange), case: { ...reference, partner_id } };
    await notifier.monitor.publish('status.updated', update);
  }

  /** A mail to the member was begun and waits: what has been asked until then is not asked again before it is due. */
  const hasWaited = (id: number) =>
    waitFor(() => rowsOf('member_mails').findOne({ staff_id: id, status: 'pending', fence: { $gt: 0 } }), {
      ...patience,
      what: `a mail to ${id} that waits`,
    });

  /** Alerts of cases that are gone, so that no mail has to be written of them. */
  async function storeAlerts(count: number, over: Partial<Row> & { partner_id: number; staff_id: number }) {
    const at = new Date();
    const rows = Array.from({ length: count }, (_, i) => {
      const news_id = `monitoring:${i}:not_found:${over.partner_id}-${String(over.mail_id ?? 'due')}`;
      return {
        ...{ _id: `${news_id}:staff:${over.staff_id}`, news_id, kind: 'monitoring', user_id: 1, case_id: 1 },
        ...{ urgent: true, status: 'pending', reason: null, mail_id: null, due_at: at, unsent_since: at },
        ...{ sent_at: null, revision: 1, observed_at: at, request_id: 'r', traceparent: 't', created_at: at },
        ...over,
      };
    });
    await rowsOf('alerts').insertMany(rows);
  }

  it('do not wait because those of another member cannot be gathered', async () => {
    notifier.firms.set(11, aFirm([aMember(111)]));
    notifier.firms.set(12, aFirm([aMember(121)]));
    const refuse = (validator: object) => notifier.db.db?.command({ collMod: 'alert_turns', validator });
    await refuse({ staff_id: { $ne: 111 } });
    try {
      await change(11, urgentChange);
      await waitFor(() => rowsOf('alerts').findOne({ staff_id: 111 }));
      await change(12, urgentChange);
      await arrives(121);
      expect(await rowsOf('alerts').countDocuments({ staff_id: 111, status: 'pending' })).toBe(1);
    } finally {
      await refuse({});
    }
    await arrives(111);
  });

  it('are put off however many they are', async () => {
    const last_mail_at = new Date(Date.now() + hourMs);
    const turn = { partner_id: 13, staff_id: 131, last_mail_at, mail_id: 'earlier' };
    await rowsOf('alert_turns').insertOne({ _id: '13:131', ...turn });
    const limit = (transactionLifetimeLimitSeconds: number) =>
      notifier.db.db?.admin().command({ setParameter: 1, transactionLifetimeLimitSeconds });
    await limit(1);
    await storeAlerts(30_000, { partner_id: 13, staff_id: 131 });
    const isPutOff = { staff_id: 131, due_at: last_mail_at };
    await waitFor(async () => (await rowsOf('alerts').countDocuments(isPutOff)) === 30_000, {
      ...patience,
      what: 'all that is put off',
    });
    await limit(5);
    await rowsOf('alerts').deleteMany({ staff_id: 131 });
  });

  it('join what is new only as far as one mail holds them', async () => {
    notifier.firms.set(14, aFirm([aMember(141)]));
    const later = new Date(Date.now() + hourMs);
    for (const mail_id of ['waits-1', 'waits-2']) {
      await rowsOf('member_mails').insertOne({
        ...{
          _id: mail_id,
          kind: 'member_alerts',
          partner_id: 14,
          staff_id: 141,
          user_id: null,
          sealed: null,
        },
        ...{ status: 'pending', attempts: 1, submitted_at: null, due_at: later, fence: 1, expires_at: later },
        created_at: new Date(),
      });
      await storeAlerts(700, { partner_id: 14, staff_id: 141, mail_id, due_at: null });
    }
    await change(14, urgentChange);
    await arrives(141);
    const counts = await rowsOf('alerts')
      .aggregate<{ _id: string; count: number }>([
        { $match: { staff_id: 141 } },
        { $group: { _id: '$mail_id', count: { $sum: 1 } } },
        { $sort: { count: 1 } },
      ])
      .toArray();
    expect(counts.map(({ count }) => count)).toEqual([700, 701]);
    expect(await rowsOf('member_mails').countDocuments({ _id: { $in: ['waits-1', 'waits-2'] } })).toBe(1);
  });

  it('to an owner instead of a member who is away are sent, though the owner wants to hear of something else', async () => {
    const away_until = new Date(Date.now() + hourMs).toISOString();
    const immediate = ['urgent' as const, 'approved' as const];
    const owner = aMember(152, { role: 'owner', alerts: { immediate: ['card'] } });
    notifier.firms.set(15, aFirm([aMember(151, { away_until, alerts: { immediate } }), owner]));
    notifier.changedCases.set(next + 1, { assignee_id: 151 });
    const ordinary = await change(15);
    await arrives(152);
    notifier.changedCases.set(next + 1, { assignee_id: 151 });
    const grave = await change(15, urgentChange);
    const mails = await arrives(152, 2);
    expect(mails.some(({ text }) => text.includes(`FLOW000${ordinary}`))).toBe(true);
    const mail = mails.find(({ text }) => text.includes(`FLOW000${grave}`));
    expect(mail?.text).toContain('You are getting this e-mail because');
    expect(mail?.text).not.toContain('nobody else');
  });

  it('of a member who goes away before the mail are told the owners, whatever their kind; the others once', async () => {
    const alerts = { immediate: ['urgent' as const, 'approved' as const] };
    const firmWith = (away_until: string | null) =>
      aFirm([
        aMember(221, { away_until, alerts }),
        aMember(222, { role: 'owner', alerts: { immediate: ['card'] } }),
        aMember(223, { alerts: { ...alerts, scope: 'all' } }),
      ]);
    notifier.firms.set(22, firmWith(null));
    notifier.away.add('identity.people');
    const ids: number[] = [];
    for (const over of [{}, urgentChange]) {
      notifier.changedCases.set(next + 1, { assignee_id: 221 });
      ids.push(await change(22, over));
    }
    await hasWaited(221);
    notifier.firms.set(22, firmWith(new Date(Date.now() + hourMs).toISOString()));
    notifier.away.clear();
    for (const id of ids) {
      const told = async () =>
        (
          await rowsOf('alerts')
            .find({ news_id: String(id) })
            .sort({ staff_id: 1 })
            .toArray()
        ).map(({ staff_id, status, reason }) => [staff_id, status, reason]);
      await waitFor(async () => (await told()).filter(([, status]) => status === 'sent').length === 2, {
        ...patience,
        what: `mails of ${id}`,
      });
      expect(await told()).toEqual([
        [221, 'skipped', 'member_away'],
        [222, 'sent', null],
        [223, 'sent', null],
      ]);
    }
    expect(await mailsTo(221)).toEqual([]);
  });

  it('and news of a firm that is suspended are told once it is back, and end after 72 h; no attempt is counted', async () => {
    const isPlanned = (id: number) =>
      waitFor(
        () => rowsOf('firm_news').findOne({ _id: String(id), claimed_at: { $exists: true }, claim: null }),
        { ...patience, what: `a plan for ${id}` },
      );
    notifier.firms.set(16, aFirm([aMember(161)]));
    notifier.away.add('identity.people');
    const mailed = await change(16, urgentChange);
    await hasWaited(161);
    notifier.firms.delete(16);
    notifier.away.clear();
    const kept = await change(16, urgentChange);
    expect((await isPlanned(kept))?.due_at).not.toBeNull();
    const old = await change(16, urgentChange);
    await isPlanned(old);
    const observed_at = new Date(Date.now() - 73 * hourMs);
    await rowsOf('firm_news').updateOne({ _id: String(old) }, { $set: { observed_at } });
    await waitFor(() => rowsOf('firm_news').findOne({ _id: String(old), due_at: null }), {
      ...patience,
      what: 'the end of old news',
    });
    const gone = { staff_id: 161, status: 'pending', last_error: 'firm_gone' };
    const mail = await waitFor(() => rowsOf('member_mails').findOne(gone), {
      ...patience,
      what: 'a mail that waits for its firm',
    });
    expect(mail?.attempts).toBe(0);
    notifier.firms.set(16, aFirm([aMember(161)]));
    const told = async () => (await mailsTo(161)).map(({ text }) => text).join();
    for (const id of [kept, mailed])
      await waitFor(async () => (await told()).includes(`FLOW000${id}`), {
        ...patience,
        what: `a mail of ${id}`,
      });
    expect(await told()).not.toContain(`FLOW000${old}`);
  });

  it('for their members come in the order of the changes, also where those of an earlier one could not be chosen', async () => {
    notifier.firms.set(20, aFirm([aMember(201, { alerts: { immediate: ['urgent', 'approved'] } })]));
    notifier.away.add('cases.cases');
    const first = await change(20);
    await waitFor(
      async () => {
        const row = await rowsOf('firm_news').findOne({ _id: String(first) });
        return row?.claim === null && row.claimed_until instanceof Date;
      },
      { ...patience, what: 'news that was put back' },
    );
    notifier.away.clear();
    await follow(first, first + 500_000, 20);
    // One of another case does not wait.
    const other = await change(20, urgentChange);
    const [mail] = await arrives(201);
    expect(mail?.text).toContain(`FLOW000${other}`);
    expect(mail?.text).not.toContain(`FLOW000${first}`);
    const told = await waitFor(
      async () => (await mailsTo(201)).find((one) => one.text.includes(`FLOW000${first}`)),
      {
        ...patience,
        what: 'the changes of the first case',
      },
    );
    expect(told.text).toContain('Case Was Approved');
  });

  describe('in quiet hours that have begun meanwhile', () => {
    const local = (ms: number) => new Date(Date.now() + ms).toISOString().slice(11, 16);
    const quiet_hours = { from: local(-hourMs), to: local(hourMs) };
    const immediate = ['urgent' as const, 'approved' as const];
    const inHours = (id: number, hours: typeof quiet_hours | null) =>
      aFirm([aMember(id, { alerts: { immediate, quiet_hours: hours }, time_zone: 'UTC' })]);
    const alertOf = (id: number, staffId: number) =>
      rowsOf('alerts').findOne({ _id: `${id}:staff:${staffId}` });
    /** So that it waits whenever another one is made. */
    async function waitsLonger(staffId: number) {
      const { _id } = await hasWaited(staffId);
      await rowsOf('member_mails').updateOne({ _id }, { $set: { due_at: new Date(Date.now() + hourMs) } });
    }
    /** One mail is to tell of them all, and waits. */
    async function isOneMail(staffId: number, ids: readonly number[]) {
      const gathered = async () => {
        const rows = await Promise.all(ids.map((id) => alertOf(id, staffId)));
        const mails = new Set(rows.map((row) => row?.mail_id ?? null));
        return mails.size === 1 && !mails.has(null);
      };
      await waitFor(gathered, { ...patience, what: 'one mail of all' });
      await hasWaited(staffId);
    }
    const endOf = (row: Row | null) => (row?.due_at as Date | null | undefined)?.toISOString().slice(11, 16);

    it('are not sent, nor along with what is urgent then', async () => {
      notifier.firms.set(17, inHours(171, null));
      notifier.away.add('identity.people');
      const ordinary = await change(17);
      await hasWaited(171);
      notifier.firms.set(17, inHours(171, quiet_hours));
      notifier.away.clear();
      const held = { staff_id: 171, status: 'pending', last_error: 'quiet_hours' };
      const row = await waitFor(() => rowsOf('member_mails').findOne(held), {
        ...patience,
        what: 'a mail that waits for the end of the quiet hours',
      });
      expect([row?.attempts, endOf(row)]).toEqual([0, quiet_hours.to]);
      const grave = await change(17, urgentChange);
      const [mail] = await arrives(171);
      expect(mail?.text).toContain(`FLOW000${grave}`);
      expect(mail?.text).not.toContain(`FLOW000${ordinary}`);
      expect(await mailsTo(171)).toHaveLength(1);
      // The end of the quiet hours.
      notifier.firms.set(17, inHours(171, null));
      await rowsOf('member_mails').updateOne(held, { $set: { due_at: new Date() } });
      const later = await arrives(171, 2);
      expect(later.map(({ text }) => text).join()).toContain(`FLOW000${ordinary}`);
    });

    it('come along with something urgent that followed in the same case, from wherever they wait', async () => {
      // In the quiet hours from the beginning: it waits in no mail.
      notifier.firms.set(21, inHours(211, quiet_hours));
      const early = await change(21);
      const waiting = await waitFor(() => alertOf(early, 211), { ...patience, what: 'an alert that waits' });
      expect(endOf(waiting)).toBe(quiet_hours.to);
      // Before them, in a mail that waits until they have begun.
      notifier.firms.set(21, inHours(211, null));
      notifier.away.add('identity.people');
      const late = await change(21);
      await waitsLonger(211);
      const other = await change(21);
      await isOneMail(211, [late, other]);
      notifier.firms.set(21, inHours(211, quiet_hours));
      notifier.away.clear();
      await waitFor(
        () => rowsOf('member_mails').findOne({ staff_id: 211, status: 'pending', last_error: 'quiet_hours' }),
        { ...patience, what: 'a mail that waits for the end of the quiet hours' },
      );
      for (const id of [early, late]) await follow(id, id + 600_000, 21);
      const isTold = async (id: number) => (await alertOf(id, 211))?.status === 'sent';
      for (const id of [early, late])
        await waitFor(() => isTold(id + 600_000), { ...patience, what: `a mail of ${id}` });
      for (const id of [early, late]) {
        const [before, after] = [await alertOf(id, 211), await alertOf(id + 600_000, 211)];
        expect(before).toMatchObject({ status: 'sent', mail_id: after?.mail_id });
      }
      expect(await alertOf(other, 211)).toMatchObject({ status: 'pending', sent_at: null });
      const told = (await mailsTo(211)).map(({ text }) => text).join();
      expect(told).not.toContain(`FLOW000${other}`);
    });

    it('leave a mail that tells of something urgent, too, and are told once, when the hours end', async () => {
      notifier.firms.set(18, inHours(181, null));
      notifier.away.add('identity.people');
      const ordinary = await change(18);
      await waitsLonger(181);
      const grave = await change(18, urgentChange);
      await isOneMail(181, [ordinary, grave]);
      notifier.firms.set(18, inHours(181, quiet_hours));
      notifier.away.clear();
      const [mail] = await arrives(181);
      expect(mail?.text).toContain(`FLOW000${grave}`);
      expect(mail?.text).not.toContain(`FLOW000${ordinary}`);
      const row = await alertOf(ordinary, 181);
      expect(row).toMatchObject({ status: 'pending', mail_id: null });
      expect([endOf(row), row?.unsent_since]).toEqual([quiet_hours.to, row?.due_at]);
      // The end of the quiet hours.
      notifier.firms.set(18, inHours(181, null));
      await rowsOf('alerts').updateOne({ _id: `${ordinary}:staff:181` }, { $set: { due_at: new Date() } });
      const mails = await arrives(181, 2);
      for (const id of [ordinary, grave])
        expect([id, mails.filter(({ text }) => text.includes(`FLOW000${id}`)).length]).toEqual([id, 1]);
    });

    it('stay in a mail that a server may have accepted: it comes again as it was', async () => {
      notifier.firms.set(19, inHours(191, null));
      notifier.away.add('identity.people');
      const ordinary = await change(19);
      await waitsLonger(191);
      const grave = await change(19, urgentChange);
      await isOneMail(191, [ordinary, grave]);
      notifier.firms.set(19, inHours(191, quiet_hours));
      await rowsOf('member_mails').updateMany({ staff_id: 191 }, { $set: { submitted_at: new Date() } });
      notifier.away.clear();
      const [mail] = await arrives(191);
      for (const id of [ordinary, grave]) expect(mail?.text).toContain(`FLOW000${id}`);
    });
  });
});
