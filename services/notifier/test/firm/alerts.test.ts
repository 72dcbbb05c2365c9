import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aFirm, aMember, urgentChange } from '../support/firm.ts';
import { anUpdate, aUser } from '../support/fixtures.ts';
import { startTestNotifier, type TestNotifier } from '../support/start-notifier.ts';

type Row = { _id: string } & Record<string, unknown>;

/** Partner 1 is of each test; its cases and people have numbers of their own. */
describe('members of a firm', () => {
  let notifier: TestNotifier;
  let next = 1_000;
  beforeAll(async () => {
    notifier = await startTestNotifier();
    // The first mail of a process takes longer: it opens connections.
    notifier.firms.set(1, aFirm([aMember(10)]));
    await urgent();
    await arrives(10);
  });
  afterAll(() => notifier.stop());

  const alerts = () => notifier.db.collection<Row>('alerts');
  const news = () => notifier.db.collection<Row>('firm_news');
  const mailsTo = (id: number | 'office') =>
    notifier.mails(id === 'office' ? 'office@firm.example' : `member-${id}@firm.example`);
  const arrives = async (id: number | 'office', count = 1) =>
    await waitFor(async () => (await mailsTo(id)).length >= count && (await mailsTo(id)), {
      what: `mail ${count} to ${id}`,
      timeoutMs: 30_000,
    });

  /** A change of a new case. */
  async function change(over: Parameters<typeof anUpdate>[2] = {}, more: object = {}) {
    next += 1;
    const id = next;
    notifier.users.set(id, aUser(id, { notify_by_email: false, notify_by_whatsapp: false }));
    await notifier.monitor.publish('status.updated', { ...anUpdate(id, id, over), ...more });
    return id;
  }
  const urgent = (more: object = {}) => change(urgentChange, more);
  const assign = (id: number, assignee_id: number | null) => notifier.changedCases.set(id, { assignee_id });
  /** All that is known was told, or never will be. */
  const isQuiet = () =>
    waitFor(
      async () =>
        (await news().countDocuments({ due_at: { $ne: null }, kind: { $ne: 'reminder' } })) === 0 &&
        (await alerts().countDocuments({ status: 'pending' })) === 0,
      { what: 'the end of all news', timeoutMs: 30_000 },
    );
  beforeEach(async () => {
    notifier.firms.clear();
    notifier.away.clear();
    await notifier.mailFault({ mode: 'none' });
  });

  it('hear of an urgent change of their case within 10 s, with the client only in the body', async () => {
    notifier.firms.set(1, aFirm([aMember(11), aMember(12)]));
    assign(next + 1, 11);
    const startedAt = Date.now();
    const id = await urgent();
    const [mail] = await arrives(11);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    expect(await notifier.saidOf(id, 'email', 'skipped')).toBeDefined();
    expect(mail?.subject).not.toMatch(/Ana|6789|Evidence|FLOW/);
    expect(mail?.text).toContain('Ana Lucía Ferreira');
    expect(mail?.text).toContain(`${notifier.publicUrl}/console/cases/FLOW000${id}`);
    await waitFor(() => notifier.alertsOf(id, 11).at(-1)?.status === 'sent');
    expect(notifier.alertsOf(id, 11)).toEqual([
      {
        ...{ status_update_id: id, monitoring: null, case_id: id, staff_id: 11 },
        ...{ status: 'pending', sent_at: null, revision: 1 },
      },
      {
        ...{ status_update_id: id, monitoring: null, case_id: id, staff_id: 11, status: 'sent', revision: 2 },
        sent_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
    expect(await alerts().findOne({ _id: `${id}:staff:11` })).toMatchObject({ status: 'sent' });
    // One click ends them, in the mail and in the mail program.
    const off = `${notifier.publicUrl}/v1/alerts/off?token=`;
    expect(mail?.text).toContain(off);
    expect(mail?.headers['list-unsubscribe']).toContain(`<${off}`);
    expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    const link = new RegExp(`${off.replace('?', '\\?')}\\S+`).exec(mail?.text ?? '')?.[0] ?? '';
    expect((await fetch(link, { method: 'POST' })).status).toBe(200);
    const said = await notifier.db.collection('outbox').find({ type: 'staff.opted_out' }).toArray();
    expect(said.map(({ body }) => JSON.parse(String(body)).data.staff_id)).toEqual([11]);
    expect(await mailsTo(12)).toEqual([]);
  });

  it('hear of a change once, however often its event comes', async () => {
    notifier.firms.set(1, aFirm([aMember(13)]));
    const id = await urgent();
    await arrives(13);
    await isQuiet();
    for (let i = 0; i < 3; i += 1)
      await notifier.monitor.publish('status.updated', anUpdate(id, id, urgentChange));
    await urgent();
    await arrives(13, 2);
    await isQuiet();
    expect(await mailsTo(13)).toHaveLength(2);
  });

  it('hear nothing of a baseline, a translation, and what is held or not confirmed; of the confirmed change they do', async () => {
    notifier.firms.set(1, aFirm([aMember(14)]));
    await urgent({ skip_reason: 'baseline' });
    await change({ ...urgentChange, kind: 'translation' });
    await urgent({ skip_reason: 'no_content_change', skip_detail: 'held' });
    const flap = await urgent({ skip_reason: 'flap' });
    await waitFor(() => notifier.said(flap, 'email').length > 0);
    expect(await news().countDocuments({ kind: 'change', case_id: { $gt: flap - 4 } })).toBe(0);
    await notifier.monitor.publish('status.updated', anUpdate(flap, flap, urgentChange));
    await arrives(14);
    expect(await alerts().distinct('news_id', { staff_id: 14 })).toEqual([String(flap)]);
  });

  it('hear nothing of direct users, nor of a case that was deleted or made inactive', async () => {
    notifier.firms.set(1, aFirm([aMember(15)]));
    const direct = next + 1;
    await change(urgentChange, { case: { ...anUpdate(direct, direct).case, partner_id: null } });
    notifier.changedCases.set(next + 1, null);
    await urgent();
    const paused = next + 1;
    notifier.changedCases.set(paused, { assignee_id: 15, partner_id: 2 });
    await urgent();
    await urgent();
    await arrives(15);
    await isQuiet();
    expect(await news().findOne({ _id: String(direct) })).toBeNull();
    expect(await alerts().distinct('news_id', { staff_id: 15 })).toEqual([String(next)]);
  });

  it('hear of a case that USCIS does not know, once, and of a check that is overdue', async () => {
    notifier.firms.set(1, aFirm([aMember(16)]));
    next += 1;
    notifier.users.set(next, aUser(next));
    const reference = anUpdate(next, next).case;
    const since = '2026-11-20T10:00:00.000Z';
    const event = { case: reference, since, next_check_at: null, revision: 3 };
    await notifier.monitor.publish('status.monitoring_changed', { ...event, state: 'not_found' });
    await notifier.monitor.publish('status.monitoring_changed', { ...event, state: 'not_found' });
    await notifier.monitor.publish('status.monitoring_changed', { ...event, state: 'watched' });
    await notifier.monitor.publish('status.check_overdue', { case: reference, last_checked: null, since });
    await waitFor(async () => (await alerts().countDocuments({ staff_id: 16, status: 'sent' })) === 2);
    expect((await alerts().distinct('_id', { staff_id: 16 })).sort()).toEqual([
      `monitoring:${next}:not_found:${since}:staff:16`,
      `monitoring:${next}:overdue:${since}:staff:16`,
    ]);
    // The list of changes says who was told.
    const sent = () => notifier.monitoringAlertsOf(next, 16).filter(({ status }) => status === 'sent');
    await waitFor(() => sent().length === 2);
    const told = sent().map(({ status_update_id, monitoring }) => [status_update_id, monitoring]);
    expect(told).toHaveLength(2);
    for (const state of ['not_found', 'overdue']) expect(told).toContainEqual([null, { state, since }]);
  });

  it('hear what the assignee who was disabled, whose address bounced, or who is away would have heard', async () => {
    const away_until = new Date(Date.now() + 3_600_000).toISOString();
    const owner = aMember(22, { role: 'owner', alerts: { immediate: [] } });
    notifier.firms.set(1, aFirm([aMember(21, { away_until }), owner]));
    assign(next + 1, 21);
    await urgent();
    await arrives(22);
    // Disabled: identity does not name it any more.
    notifier.firms.set(1, aFirm([owner]));
    assign(next + 1, 21);
    await urgent();
    await arrives(22, 2);
    notifier.firms.set(1, aFirm([aMember(23), owner]));
    await notifier.mailFault({ mode: 'reject', at: 'rcpt', code: 550, to: 'member-23@firm.example' });
    assign(next + 1, 23);
    const id = await urgent();
    await arrives(22, 3);
    await waitFor(() => notifier.alertsOf(id, 22).at(-1)?.status === 'sent');
    expect(notifier.alertsOf(id, 23).at(-1)).toMatchObject({ status: 'failed', sent_at: null });
    // From then on the address is known.
    assign(next + 1, 23);
    const second = await urgent();
    await arrives(22, 4);
    expect(notifier.alertsOf(second, 23)).toEqual([]);
  });

  it('hear of what a removed member had not been told yet', async () => {
    notifier.firms.set(1, aFirm([aMember(24), aMember(25, { role: 'owner', alerts: { immediate: [] } })]));
    await notifier.mailFault({ mode: 'greylist', to: 'member-24@firm.example' });
    assign(next + 1, 24);
    const id = await urgent();
    await waitFor(() => notifier.alertsOf(id, 24).length > 0);
    notifier.firms.set(1, aFirm([aMember(25, { role: 'owner', alerts: { immediate: [] } })]));
    await notifier.identity.publish('staff.deleted', {
      ...{ staff_id: 24, partner_id: 1, version: 3, reassign_to: null },
    });
    await arrives(25);
    expect(await alerts().countDocuments({ staff_id: 24 })).toBe(0);
    // Where a second attempt came before the removal, it has failed.
    await waitFor(() => notifier.alertsOf(id, 24).length > 1);
    expect(notifier.alertsOf(id, 24)).toMatchObject([
      { status: 'pending', revision: 1 },
      { status: expect.stringMatching(/^(skipped|failed)$/), revision: 2 },
    ]);
    expect(await notifier.db.collection('member_mails').countDocuments({ staff_id: 24 })).toBe(0);
  });

  it('hear of a change whose mail came back after it was accepted', async () => {
    notifier.firms.set(1, aFirm([aMember(26), aMember(27, { role: 'owner', alerts: { immediate: [] } })]));
    assign(next + 1, 26);
    const id = await urgent();
    await arrives(26);
    await waitFor(() => notifier.alertsOf(id, 26).at(-1)?.status === 'sent');
    expect(await mailsTo(27)).toEqual([]);
    await notifier.report({ provider: 'sendgrid', event: 'bounce', to: 'member-26@firm.example' });
    await arrives(27);
    await waitFor(() => notifier.alertsOf(id, 26).at(-1)?.status === 'failed');
    await isQuiet();
    expect(await mailsTo(26)).toHaveLength(1);
    expect(await mailsTo(27)).toHaveLength(1);
  });

  it('who cannot be reached leave an urgent change to the own address of the firm, and it is known', async () => {
    const { connectAs } = await import('@casewatch/testing');
    const gateway = await connectAs(notifier.nats, 'gateway');
    notifier.firms.set(1, aFirm([aMember(28)]));
    await notifier.mailFault({ mode: 'reject', at: 'rcpt', code: 550, to: 'member-28@firm.example' });
    expect(await gateway.request('notifier.unreached', { partner_id: 1 })).toMatchObject({ count: 0 });
    const id = await urgent();
    const [mail] = await arrives('office');
    expect(mail?.text).toContain(`/console/cases/FLOW000${id}`);
    const unreached = await gateway.request('notifier.unreached', { partner_id: 1 });
    expect(unreached).toMatchObject({ count: 1, case_refs: [`FLOW000${id}`] });
    expect(await gateway.request('notifier.unreached', { partner_id: 2 })).toEqual({
      ...{ count: 0, latest_at: null, case_refs: [] },
    });
    // What is not urgent reaches nobody, and that is what was asked for.
    await change();
    await isQuiet();
    expect(await mailsTo('office')).toHaveLength(1);
    await gateway.stop();
  });

  it.each(['identity.firm', 'identity.people', 'cases.cases'] as const)(
    'hear of everything once %s is back, and no attempt is counted meanwhile',
    async (request) => {
      const staff = 30 + request.length;
      notifier.firms.set(1, aFirm([aMember(staff)]));
      notifier.away.add(request);
      const id = await urgent();
      await waitFor(() => news().findOne({ _id: String(id) }));
      if (request === 'identity.people')
        await waitFor(() => alerts().findOne({ _id: `${id}:staff:${staff}` }));
      else
        await waitFor(async () => {
          const row = await news().findOne({ _id: String(id) });
          return row?.claimed_until instanceof Date && row.claim === null;
        });
      expect(await mailsTo(staff)).toEqual([]);
      notifier.away.clear();
      await arrives(staff);
      await isQuiet();
      expect(await notifier.db.collection('member_mails').distinct('attempts', { staff_id: staff })).toEqual([
        1,
      ]);
    },
  );

  it('hear nothing of a person who was erased while the mail waited, and of the others all the same', async () => {
    notifier.firms.set(1, aFirm([aMember(51)]));
    await notifier.mailFault({ mode: 'greylist', to: 'member-51@firm.example' });
    const erased = await urgent();
    const kept = await urgent();
    await waitFor(
      async () => (await alerts().countDocuments({ staff_id: 51, mail_id: { $ne: null } })) === 2,
    );
    await notifier.identity.publish('user.deleted', { user_id: erased, partner_id: 1, version: 2 });
    await waitFor(async () => (await alerts().countDocuments({ user_id: erased })) === 0);
    await notifier.mailFault({ mode: 'none' });
    const mails = await arrives(51);
    expect(mails.map(({ text }) => text).join()).not.toContain(`FLOW000${erased}`);
    expect(mails.map(({ text }) => text).join()).toContain(`FLOW000${kept}`);
    expect(await news().countDocuments({ user_id: erased })).toBe(0);
  });

  it('hear nothing once the partner is erased, and nothing of it stays', async () => {
    notifier.firms.set(7, aFirm([aMember(71)]));
    await notifier.mailFault({ mode: 'greylist', to: 'member-71@firm.example' });
    const of7 = () => ({ case: { ...anUpdate(next + 1, next + 1).case, partner_id: 7 } });
    notifier.changedCases.set(next + 1, { partner_id: 7 });
    await urgent(of7());
    await waitFor(() => alerts().findOne({ staff_id: 71, mail_id: { $ne: null } }));
    await notifier.identity.publish('partner.deleted', { partner_id: 7 });
    const left = async () => {
      const names = ['firm_news', 'alerts', 'member_mails', 'alert_turns'];
      const rows = names.map((name) => notifier.db.collection(name).countDocuments({ partner_id: 7 }));
      return (await Promise.all(rows)).reduce((sum, count) => sum + count);
    };
    await waitFor(async () => (await left()) === 0);
    // An event that comes late.
    const late = await urgent(of7());
    await waitFor(() => notifier.said(late, 'email').length > 0);
    await waitFor(async () => (await left()) === 0);
  });

  it('who were told are enough: another mail about it that comes back reaches nobody else', async () => {
    const later = aMember(93);
    notifier.firms.set(
      1,
      aFirm([aMember(91), aMember(92), aMember(94, { role: 'owner', alerts: { immediate: [] } })]),
    );
    const id = await urgent();
    await arrives(91);
    await arrives(92);
    await isQuiet();
    notifier.firms.set(1, aFirm([aMember(91), aMember(92), later]));
    await notifier.report({ provider: 'sendgrid', event: 'bounce', to: 'member-91@firm.example' });
    await waitFor(() => notifier.alertsOf(id, 91).at(-1)?.status === 'failed');
    await isQuiet();
    expect((await alerts().distinct('staff_id', { news_id: String(id) })).sort()).toEqual([91, 92]);
    // The last who was told fails, too: then the next in line is told.
    await notifier.report({ provider: 'sendgrid', event: 'bounce', to: 'member-92@firm.example' });
    await arrives(93);
  });

  it('who turn their mails off get none that waits, but for what is urgent; and no name where the firm wants none', async () => {
    const immediate = ['urgent' as const, 'approved' as const];
    notifier.firms.set(1, aFirm([aMember(95, { alerts: { immediate } })], { names_in_mails: false }));
    notifier.away.add('identity.people');
    const ordinary = await change();
    const grave = await urgent();
    const waiting = { staff_id: 95, mail_id: { $ne: null } };
    // What a mail has asked until it waits is not asked again before it is due.
    const untried = { staff_id: 95, status: 'pending', fence: 0 };
    const wait = async () =>
      (await alerts().countDocuments(waiting)) === 2 &&
      (await notifier.db.collection('member_mails').countDocuments(untried)) === 0;
    await waitFor(wait, { what: 'mails of both that wait', timeoutMs: 60_000 });
    notifier.firms.set(1, aFirm([aMember(95, { alerts: { immediate: [] } })], { names_in_mails: false }));
    notifier.away.clear();
    await waitFor(() => notifier.alertsOf(grave, 95).at(-1)?.status === 'sent', { timeoutMs: 60_000 });
    await isQuiet();
    expect(await alerts().findOne({ _id: `${ordinary}:staff:95` })).toMatchObject({
      status: 'skipped',
      reason: 'not_wanted',
    });
    const texts = (await mailsTo(95)).map(({ text, html, subject }) => text + html + subject).join();
    expect(texts).toContain(`FLOW000${grave}`);
    expect(texts).not.toMatch(new RegExp(`Ana|FLOW000${ordinary}`));
  });

  it('are named in no row: neither client nor address', async () => {
    notifier.firms.set(1, aFirm([aMember(81)]));
    await urgent();
    await arrives(81);
    const names = ['firm_news', 'alerts', 'member_mails', 'alert_turns'];
    const rows = await Promise.all(names.map((name) => notifier.db.collection(name).find().toArray()));
    expect(JSON.stringify(rows)).not.toMatch(/Ana|firm\.example|EAC9999106789/);
  });
});

describe('the cap of messages a day', () => {
  it('holds for a person, and not for a member', async () => {
    await using notifier = await startTestNotifier({
      NOTIFY_RECIPIENT_CAP: '1',
      NOTIFY_DIGEST_WINDOW_S: '0',
    });
    const alerts = { immediate: ['approved' as const], quiet_hours: null };
    notifier.firms.set(1, aFirm([aMember(61, { alerts })]));
    notifier.users.set(600, aUser(600, { notify_by_whatsapp: false }));
    for (let count = 1; count <= 4; count += 1) {
      await notifier.monitor.publish('status.updated', anUpdate(600 + count, 600));
      // Each is a mail of its own: the one before has left.
      await waitFor(async () => (await notifier.mails('member-61@firm.example')).length === count, {
        what: `mail ${count} to the member`,
        timeoutMs: 60_000,
      });
    }
    const rows = notifier.db.collection('notifications').find({ user_id: 600, channel: 'email' });
    const [first, ...others] = await waitFor(
      async () => {
        const all = await rows.clone().sort({ _id: 1 }).toArray();
        return all.length === 4 && all.filter(({ status }) => status === 'sent').length === 1 && all;
      },
      { what: 'the messages to the person', timeoutMs: 60_000 },
    );
    expect(first?.status).toBe('sent');
    expect(others.map(({ status }) => status)).toEqual(Array(3).fill('pending'));
    expect(await notifier.mails('person-600@example.org')).toHaveLength(1);
  });
});
