import { fileURLToPath } from 'node:url';
import type { Alerts, FirmMember, MorningReply, RequestData } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { type Sibling, spawnProgram, startSibling, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aFirm, aMember } from '../support/firm.ts';
import { aUser } from '../support/fixtures.ts';
import { shiftedClock } from '../support/shifted-clock.ts';
import { startTestNotifier, type TestNotifier } from '../support/start-notifier.ts';

type Row = { _id: string; status: string; last_error: string | null } & Record<string, unknown>;

/** In the zone of the test it is about noon, so that no day ends meanwhile: the digest is due. */
const always: Partial<Alerts> = { digest: 'daily', digest_at: '00:00' };
const offsetHours = 12 - new Date().getUTCHours();
// Zones with such names have the sign turned round.
const zone = offsetHours === 0 ? 'UTC' : `Etc/GMT${offsetHours > 0 ? '-' : '+'}${Math.abs(offsetHours)}`;
const localTime = (ms = 0) => new Date(Date.now() + offsetHours * 3_600_000 + ms).toISOString();
const today = () => localTime().slice(0, 10);
const inDays = (days: number) => new Date(Date.parse(today()) + days * 86_400_000).toISOString().slice(0, 10);

const nothing: MorningReply = { changes: [], total: 0, due: [], due_total: 0, user_ids: [] };

function aChange(
  id: number,
  over: Partial<MorningReply['changes'][number]> = {},
): MorningReply['changes'][number] {
  return {
    user_id: id,
    user_case_id: `FLOW${String(id).padStart(7, '0')}`,
    reference: null,
    urgent: false,
    observed_at: '2026-11-21T15:04:00.000Z',
    receipt_number: 'EAC9999106789',
    respond_by: null,
    is_answered: false,
    status: {
      status_code: 'Case Was Approved',
      status_code_es: null,
      status_code_pt: null,
      kind: 'status',
      previous_status_code: 'Case Was Received',
      spanish_source: null,
    },
    monitoring: null,
    ...over,
  };
}

describe('the digest of members', () => {
  let notifier: TestNotifier;
  let webhooks: Sibling<'webhooks'>;
  let partner = 100;
  const mornings = new Map<number, MorningReply>();
  const asked: RequestData<'cases.morning'>[] = [];
  const isAway = new Set<'cases.morning' | 'webhooks.failing'>();
  beforeAll(async () => {
    notifier = await startTestNotifier({ NOTIFY_SEND_TIMEOUT_MS: '10000' });
    webhooks = await startSibling('webhooks', notifier.nats);
    notifier.cases.bus.serve('cases.firms', async ({ after }) => ({
      partner_ids: [...notifier.firms.keys()].filter((id) => id > after).slice(0, 200),
    }));
    notifier.cases.bus.serve('cases.morning', async (request) => {
      asked.push(request);
      if (isAway.has('cases.morning')) throw new ApiError('service_unavailable');
      return mornings.get(request.partner_id) ?? nothing;
    });
    webhooks.bus.serve('webhooks.failing', async ({ partner_id }) => {
      if (isAway.has('webhooks.failing')) throw new ApiError('service_unavailable');
      const at = '2026-11-20T10:00:00.000Z';
      return partner_id % 2 === 0
        ? { endpoints: [{ id: 12, host: 'hooks.santos.example', disabled: false, at }] }
        : { endpoints: [] };
    });
  });
  afterAll(async () => {
    await webhooks.stop();
    await notifier.stop();
  });
  beforeEach(async () => {
    await notifier.stopService();
    notifier.firms.clear();
    notifier.away.clear();
    isAway.clear();
    asked.length = 0;
    // Odd: without endpoints that fail.
    partner += 101 + (partner % 2 === 0 ? 0 : 1);
  });

  const rows = () => notifier.db.collection<Row>('member_mails');
  const member = (over: Parameters<typeof aMember>[1] = {}): FirmMember =>
    aMember(partner, { time_zone: zone, ...over, alerts: { ...always, ...over.alerts } });
  const id = () => `staff:${partner}:digest:${today()}`;
  const mails = () => notifier.mails(`member-${partner}@firm.example`);
  const firm = (members: FirmMember[], over: Parameters<typeof aFirm>[1] = {}) =>
    notifier.firms.set(partner, aFirm(members, over));
  const settled = async (what = id()) =>
    await waitFor(async () => await rows().findOne({ _id: what, due_at: null }), {
      what,
      timeoutMs: 60_000,
    });
  const person = (userId: number) => notifier.users.set(userId, aUser(userId, { partner_id: partner }));

  it('tells of dates, changes and their number, with nothing private before the body', async () => {
    for (let userId = 1; userId <= 50; userId += 1) person(userId);
    const changes = Array.from({ length: 50 }, (_, i) => aChange(i + 1, { urgent: i % 7 === 0 }));
    const due = { user_id: 3, user_case_id: 'FLOW0000003', reference: '2026-114' };
    const respond_by = { date: inDays(6), source: 'notice' } as const;
    mornings.set(partner, { ...nothing, changes, total: 300, due: [{ ...due, respond_by }], due_total: 1 });
    firm([member({ alerts: { scope: 'all' } })]);
    await notifier.startService();
    expect(await settled()).toMatchObject({ status: 'sent' });
    const sent = await mails();
    expect(sent).toHaveLength(1);
    const { subject, text = '', html = '', headers } = sent[0] ?? {};
    expect(subject).toBe('Your overview for today: 301 open');
    expect(text.match(/^\* /gm)).toHaveLength(50);
    expect(text).toContain('250 more updates are in the console.');
    expect(text).toContain(`${notifier.publicUrl}/console/cases/FLOW0000050`);
    expect(text).toMatch(/\(in 6 days\): Ana Lucía Ferreira · 2026-114/);
    expect(text).not.toMatch(/EAC\d|9999106/);
    // The first urgent item stands before the first that is not.
    expect(text.indexOf('* Urgent: ')).toBeLessThan(text.search(/^\* Ana/m));
    const first = text.slice(0, 140);
    const preheader = /mso-hide:all">([^<]*)</.exec(html)?.[1];
    const { subject: _, from: __, to: ___, ...others } = headers ?? {};
    for (const seen of [subject, first, preheader, JSON.stringify(others)])
      expect(seen).not.toMatch(/Ana|Ferreira|6789|FLOW|USCIS|Approved|2026-114/);
    expect(asked).toEqual([
      expect.objectContaining({
        partner_id: partner,
        staff_id: partner,
        scope: 'all',
        limit: 50,
        from: today(),
        active_ids: [partner],
      }),
    ]);
    expect(asked[0]?.until).toBe(inDays(14));
  });

  it('is sent once, by however many notifiers, with clocks that are wrong, after kills and restarts', async () => {
    person(1);
    mornings.set(partner, { ...nothing, changes: [aChange(1)], total: 1 });
    firm([member()]);
    await notifier.startService(shiftedClock(60_000));
    const replicas = await Promise.all([-60_000, 0].map((ms) => notifier.startReplica(shiftedClock(ms))));
    try {
      await settled();
    } finally {
      for (const replica of replicas) await replica.stop();
    }
    for (let i = 0; i < 2; i += 1) {
      await notifier.stopService();
      await notifier.startService();
    }
    // A firm that is planned after it: its digest shows that the loop has run over both.
    const before = partner;
    await notifier.stopService();
    partner += 2;
    person(2);
    mornings.set(partner, { ...nothing, changes: [aChange(2)], total: 1 });
    firm([member()]);
    await notifier.startService();
    await settled();
    expect(await notifier.mails(`member-${before}@firm.example`)).toHaveLength(1);
    expect(await rows().countDocuments({ staff_id: before })).toBe(1);
  });

  it('is not made before its time, for who is away, for who wants none; and none is empty', async () => {
    const other = (staffId: number, over: Parameters<typeof aMember>[1] = {}) =>
      aMember(staffId, { time_zone: zone, ...over, alerts: { ...always, ...over.alerts } });
    person(1);
    mornings.set(partner, { ...nothing, changes: [aChange(1)], total: 1 });
    const away_until = new Date(Date.now() + 3_600_000).toISOString();
    const soon = localTime(30 * 60_000).slice(11, 16);
    firm([
      other(9_001, { away_until }),
      other(9_002, { alerts: { digest: 'off' } }),
      other(9_003, { alerts: { digest_at: soon } }),
      member(),
    ]);
    const empty = partner + 2;
    notifier.firms.set(empty, aFirm([aMember(empty, { time_zone: zone, alerts: always })]));
    await notifier.startService();
    await settled();
    const nothingToSay = await settled(`staff:${empty}:digest:${today()}`);
    expect(nothingToSay).toMatchObject({ status: 'expired', last_error: 'nothing_to_tell', attempts: 0 });
    expect(await notifier.mails(`member-${empty}@firm.example`)).toEqual([]);
    expect(await rows().countDocuments({ staff_id: { $in: [9_001, 9_002, 9_003] } })).toBe(0);
    expect(await mails()).toHaveLength(1);
  });

  it('waits for services that are away, is written anew when they are back, and is not sent on another day', async () => {
    person(1);
    mornings.set(partner, { ...nothing, changes: [aChange(1)], total: 7 });
    firm([member()]);
    isAway.add('cases.morning');
    await notifier.startService();
    await waitFor(() => asked.length > 0, { timeoutMs: 30_000 });
    expect(await mails()).toEqual([]);
    mornings.set(partner, { ...nothing, changes: [aChange(1)], total: 3 });
    isAway.clear();
    expect(await settled()).toMatchObject({ status: 'sent', attempts: 1 });
    expect((await mails())[0]?.subject).toBe('Your overview for today: 3 open');
    // Yesterday's, which a notifier stored before it was stopped.
    await notifier.stopService();
    const row = await rows().findOne({ _id: id() });
    if (row === null) throw new Error('no row');
    const old = `staff:${partner}:digest:${inDays(-1)}`;
    const expires_at = new Date(Date.now() - 1_000);
    const due_at = new Date(0 + 1);
    await rows().insertOne({
      ...row,
      _id: old,
      status: 'pending',
      sealed: 'never opened',
      expires_at,
      due_at,
    });
    await notifier.startService();
    expect(await settled(old)).toMatchObject({ status: 'expired' });
    expect(await mails()).toHaveLength(1);
  });

  it('goes to nobody who left, went away or wants none since it was stored', async () => {
    person(1);
    mornings.set(partner, { ...nothing, changes: [aChange(1)], total: 1 });
    firm([member()]);
    isAway.add('cases.morning');
    await notifier.startService();
    await waitFor(() => asked.length > 0, { timeoutMs: 30_000 });
    firm([member({ alerts: { digest: 'off' } })]);
    isAway.clear();
    expect(await settled()).toMatchObject({ status: 'expired', last_error: 'not_wanted' });
    expect(await mails()).toEqual([]);
  });

  it('names the clients whom messages do not reach, of cases that the member sees, and nobody else', async () => {
    const [seen, others] = [7_001, 7_002];
    const at = new Date();
    for (const userId of [seen, others]) {
      notifier.users.set(userId, aUser(userId, { partner_id: partner, name: `Client ${userId}` }));
      const suppression = { reason: 'unsubscribed', at, user_version: null };
      await notifier.db
        .collection<Row>('suppressions')
        .insertOne({ _id: `${userId}:email`, ...suppression } as never);
      const row = { partner_id: partner, user_id: userId, channel: 'email', created_at: at };
      await notifier.db.collection<Row>('notifications').insertOne({
        ...{ _id: `${userId}:email`, status: 'skipped', last_error: null, reason: 'suppressed_unsubscribed' },
        ...row,
      });
    }
    mornings.set(partner, { ...nothing, user_ids: [seen] });
    firm([member()]);
    await notifier.startService();
    await settled();
    const [mail] = await mails();
    expect(mail?.subject).toBe('Your overview for today: 1 open');
    expect(mail?.text).toContain(`- Client ${seen}\n  ${notifier.publicUrl}/console/users/${seen}`);
    expect(mail?.text).not.toContain(`Client ${others}`);
    expect(asked[0]?.user_ids.toSorted()).toEqual([seen, others]);
  });

  it('is sent once where its notifier was killed while it sent it', async () => {
    person(1);
    mornings.set(partner, { ...nothing, changes: [aChange(1)], total: 1 });
    firm([member()]);
    await notifier.mailFault({ mode: 'hang', to: `member-${partner}@firm.example` });
    const program = fileURLToPath(new URL('../support/shifted-notifier.program.ts', import.meta.url));
    const sending = spawnProgram(program, { args: ['0'], env: notifier.env });
    try {
      await waitFor(() => rows().findOne({ _id: id(), status: 'sending' }), {
        what: 'the send that is killed',
        timeoutMs: 60_000,
      });
    } finally {
      await sending.end('SIGKILL');
      await notifier.mailFault({ mode: 'none' });
    }
    expect(await mails()).toEqual([]);
    await notifier.startService();
    expect(await settled()).toMatchObject({ status: 'sent' });
    expect(await mails()).toHaveLength(1);
    expect(await rows().countDocuments({ staff_id: partner })).toBe(1);
  });

  it('has no name where the firm wants none, and shows endpoints to owners alone, also without webhooks', async () => {
    partner += 1;
    person(1);
    mornings.set(partner, { ...nothing, changes: [aChange(1)], total: 1 });
    const colleague = partner + 1;
    const owner = member({ role: 'owner' });
    firm([owner, aMember(colleague, { time_zone: zone, alerts: always })], { names_in_mails: false });
    await notifier.startService();
    await settled();
    await settled(`staff:${colleague}:digest:${today()}`);
    const [toOwner] = await mails();
    const [toColleague] = await notifier.mails(`member-${colleague}@firm.example`);
    expect(toOwner?.text).toContain('hooks.santos.example');
    expect(toColleague?.text).not.toContain('hooks.santos.example');
    expect(toColleague?.text).toContain('* FLOW0000001');
    for (const mail of [toOwner, toColleague])
      expect(`${mail?.text}${mail?.html}`).not.toMatch(/Ana|Ferreira/);
    await notifier.stopService();
    isAway.add('webhooks.failing');
    partner += 102;
    mornings.set(partner, { ...nothing, changes: [aChange(1)], total: 1 });
    firm([member({ role: 'owner' })]);
    await notifier.startService();
    await settled();
    expect((await mails())[0]?.text).not.toContain('hooks.santos.example');
  });
});
