import { defaultAlerts, type PartnerPrincipal, type StaffRole, scopesOfRole } from '@casewatch/contracts';
import { type Bus, createLogger, systemClock } from '@casewatch/platform';
import { type Connection, createOutbox, startRelay, transaction } from '@casewatch/platform/database';
import { connectAs, connectDatabase, startMongo, type TestMongo, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../../test/support/notifier.ts';
import { makePartner, someAddress, type TestPartner } from '../../test/support/people.ts';
import type { TestIdentity } from '../../test/support/start-identity.ts';
import { useIdentity } from '../../test/support/use-identity.ts';

let identity: TestIdentity;
let sent: TestNotifier;
let partner: TestPartner;
let other: TestPartner;
let cases: Bus;
let notifier: Bus;
let mongo: TestMongo;
let db: Connection;
let relay: { stop(): Promise<void> };
useIdentity((started) => ({ identity, partner, other, notifier: sent } = started));
beforeAll(async () => {
  [cases, notifier, mongo] = await Promise.all([
    connectAs(identity.nats, 'cases'),
    connectAs(identity.nats, 'notifier'),
    startMongo(),
  ]);
  cases.serve('cases.count', async () => ({ cases: 0, active_cases: 0 }));
  await cases.connection.flush();
  db = await connectDatabase(mongo.url());
  // The notifier's side: its own outbox and relay, with its own rights on the bus.
  const log = createLogger('notifier', 'silent');
  relay = startRelay({
    service: 'notifier',
    connection: db,
    leases: db,
    bus: notifier,
    log,
    clock: systemClock,
  });
});
afterAll(async () => {
  await relay.stop();
  await Promise.all([cases.stop(), notifier.stop()]);
  await db.close();
  await mongo.stop();
});

const nowS = () => Math.floor(Date.now() / 1_000);
type Member = { id: number; alerts: typeof defaultAlerts; away_until: string | null } & Record<
  string,
  unknown
>;

async function invite(of = partner, fields: object = {}): Promise<Member> {
  const body = { email: someAddress(), name: 'A Member', role: 'viewer', ...fields };
  const reply = await identity.call('POST', '/v1/client/staff', { as: of.as, body });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.staff_member as Member;
}

/** An active member, with the principal for which the gateway vouches. */
async function join(role: StaffRole = 'viewer', of = partner) {
  const { id } = await invite(of, { role });
  await identity.db.collection('staff').updateOne({ _id: id as never }, { $set: { status: 'active' } });
  const as: PartnerPrincipal = {
    ...{ kind: 'partner', partner_id: of.as.partner_id, key_id: '', scopes: [...scopesOfRole[role]] },
    ...{ staff_id: id, role, signed_in_at: nowS() },
    console: { session_id: 'a-session-of-the-test', actor: 'A Member' },
  };
  return { id, as };
}

const put = (id: number, body: object, as: PartnerPrincipal = partner.as) =>
  identity.call('PUT', `/v1/client/staff/${id}`, { as, body });
const read = async (id: number, as: PartnerPrincipal = partner.as) =>
  (await identity.call('GET', `/v1/client/staff/${id}`, { as })).body.staff_member as Member;
const stored = (id: number) => identity.db.collection('staff').findOne({ _id: id as never });
const firmOf = (of = partner) => notifier.request('identity.firm', { partner_id: of.as.partner_id });
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const dayMs = 24 * 60 * 60 * 1_000;

describe('the alerts of a member', () => {
  it('are the default ones until somebody changes them, of members from before there were alerts, too', async () => {
    const { id } = await join();
    expect(await stored(id)).not.toHaveProperty('alerts');
    expect(await read(id)).toMatchObject({ alerts: defaultAlerts, away_until: null });
    const reply = (await firmOf()).members.find((member) => member.id === id);
    expect(reply).toMatchObject({ alerts: defaultAlerts, away_until: null });
  });

  it('keep what a change does not send, and name each category once', async () => {
    const { id } = await join();
    const immediate = ['interview', 'urgent', 'interview', 'card'];
    expect(await put(id, { alerts: { immediate } })).toMatchObject({
      status: 200,
      body: { staff_member: { alerts: { ...defaultAlerts, immediate: ['urgent', 'card', 'interview'] } } },
    });
    await put(id, { alerts: { quiet_hours: null, digest: 'off' } });
    const kept = { ...defaultAlerts, immediate: ['urgent', 'card', 'interview'] };
    expect((await read(id)).alerts).toEqual({ ...kept, quiet_hours: null, digest: 'off' });
  });

  it('do not lose one of two changes that come at the same moment', async () => {
    const { id } = await join();
    const changes = [{ digest: 'daily' }, { scope: 'all' }, { digest_at: '06:30' }];
    const replies = await Promise.all(changes.map((alerts) => put(id, { alerts })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await read(id)).alerts).toMatchObject({ digest: 'daily', scope: 'all', digest_at: '06:30' });
  });

  it.each([
    [{ alerts: { immediate: ['denials'] } }],
    [{ alerts: { digest_at: '24:00' } }],
    [{ alerts: { digest_at: '8:00' } }],
    [{ alerts: { quiet_hours: { from: '20:00' } } }],
    [{ alerts: { scope: 'everything' } }],
    [{ alerts: { color: 'red' } }],
    [{ alerts: null }],
    [{ away_until: '2027-01-01' }],
    [{ away_until: inMs(367 * dayMs) }],
  ])('refuse %j', async (body) => {
    const { id } = await join();
    const reply = await put(id, body);
    expect([reply.status, reply.body.code]).toEqual([400, 'validation_failed']);
    expect(await stored(id)).toMatchObject({ version: 1 });
  });

  it('are no change, with no new version, where they are so already', async () => {
    const { id } = await join();
    await put(id, { alerts: defaultAlerts, away_until: null });
    expect(await stored(id)).toMatchObject({ version: 1 });
  });

  it('say until when the member is away; afterwards, and with a time in the past, the member is not', async () => {
    const { id } = await join();
    const away_until = inMs(3 * dayMs);
    expect((await put(id, { away_until })).body.staff_member).toMatchObject({ away_until });
    const spellings = [away_until.replace(/\.\d+Z$/, 'Z'), away_until.toLowerCase().replace('z', '+00:00')];
    for (const spelled of spellings) expect((await put(id, { away_until: spelled })).status).toBe(200);
    const inFirm = async () => (await firmOf()).members.find((member) => member.id === id)?.away_until;
    await put(id, { away_until });
    expect(await inFirm()).toBe(away_until);
    const past = new Date(Date.now() - 1_000);
    await identity.db.collection('staff').updateOne({ _id: id as never }, { $set: { away_until: past } });
    expect([await inFirm(), (await read(id)).away_until]).toEqual([null, null]);
    await put(id, { away_until });
    await put(id, { away_until: past.toISOString() });
    expect([await inFirm(), (await stored(id))?.away_until]).toEqual([null, null]);
  });

  it('are in the export, with when they were changed', async () => {
    const { id } = await join();
    const away_until = inMs(dayMs);
    await put(id, { alerts: { scope: 'all' }, away_until });
    const reply = await identity.call('GET', `/v1/client/staff/${id}/export`, { as: partner.as });
    const time = (at: string) => at.slice(0, 19).replace('T', ' ');
    expect(reply.body.staff_member).toMatchObject({
      alerts: { ...defaultAlerts, scope: 'all' },
      away_until: time(away_until),
      alerts_changed_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });
  });
});

describe('a member', () => {
  it.each(['viewer', 'editor', 'owner'] as const)(
    'who is %s reads and changes the own alerts, language, zone and name, however long ago the sign-in was',
    async (role) => {
      const { id, as } = await join(role);
      const old = { ...as, signed_in_at: nowS() - 11 * 60 * 60 };
      const body = {
        ...{ alerts: { digest: 'daily' }, away_until: inMs(dayMs), language: 'pt' },
        ...{ time_zone: 'America/Denver', name: 'Ana Silva' },
      };
      const reply = await put(id, body, old);
      expect(reply).toMatchObject({ status: 200, body: { staff_member: { name: 'Ana Silva', role } } });
      expect(await read(id, old)).toMatchObject({ language: 'pt', time_zone: 'America/Denver' });
    },
  );

  it.each([{ role: 'owner' }, { status: 'active' }, { role: 'viewer' }, { name: 'X', role: 'owner' }])(
    'never gives the own person more, or less: %j',
    async (body) => {
      const { id, as } = await join('viewer');
      const reply = await put(id, body, as);
      expect([reply.status, reply.body.code]).toEqual([403, 'insufficient_role']);
      expect(await stored(id)).toMatchObject({ role: 'viewer', name: 'A Member', version: 1 });
    },
  );

  it('changes nothing of a colleague, and reads nothing of one', async () => {
    const [editor, colleague] = [await join('editor'), await join('viewer')];
    const reply = await put(colleague.id, { alerts: { immediate: [] } }, editor.as);
    expect([reply.status, reply.body.code]).toEqual([403, 'insufficient_role']);
    const looked = await identity.call('GET', `/v1/client/staff/${colleague.id}`, { as: editor.as });
    expect([looked.status, looked.body.code]).toEqual([403, 'insufficient_role']);
    expect((await identity.call('GET', '/v1/client/staff', { as: editor.as })).status).toBe(403);
  });

  it('who is an owner changes those of a colleague after a recent sign-in, and of no other firm', async () => {
    const [owner, colleague, foreign] = [await join('owner'), await join(), await join('viewer', other)];
    const body = { alerts: { scope: 'all' } };
    expect((await put(colleague.id, body, owner.as)).status).toBe(200);
    const old = { ...owner.as, signed_in_at: nowS() - 16 * 60 };
    expect((await put(colleague.id, body, old)).body.code).toBe('reauthentication_required');
    expect((await put(owner.id, { role: 'viewer' }, old)).body.code).toBe('reauthentication_required');
    expect((await put(foreign.id, body, owner.as)).body.code).toBe('staff_not_found');
    expect((await read(foreign.id, other.as)).alerts).toEqual(defaultAlerts);
  });

  it('is named in the records as who changed the own alerts', async () => {
    const { id, as } = await join('viewer');
    await put(id, { alerts: { digest: 'off' } }, as);
    const record = await waitFor(async () =>
      identity.db.collection('audit').findOne({ actor: `staff:${id}`, operation: 'update_staff_member' }),
    );
    expect(record).toMatchObject({ objects: [`staff:${id}`], status: 200 });
    expect(JSON.stringify(record)).not.toContain('digest');
  });
});

describe('the settings of a firm', () => {
  const set = (body: object, of: TestPartner) =>
    identity.call('PUT', '/v1/client/profile', { as: of.as, body });

  it('name clients in mails, unless the firm says no', async () => {
    const firm = await makePartner(identity, 'Discreet Firm');
    const { body } = await identity.call('GET', '/v1/client/profile', { as: firm.as });
    expect(body.client).toMatchObject({ names_in_mails: true, new_member_alerts: defaultAlerts });
    expect((await firmOf(firm)).firm?.names_in_mails).toBe(true);
    expect((await set({ names_in_mails: false }, firm)).body.client).toMatchObject({ names_in_mails: false });
    expect((await firmOf(firm)).firm?.names_in_mails).toBe(false);
  });

  it('are the alerts of members who are invited afterwards, and of no others', async () => {
    const firm = await makePartner(identity, 'Eager Firm');
    const before = await invite(firm);
    const kept = { new_member_alerts: { ...defaultAlerts, scope: 'all' } };
    expect((await set({ new_member_alerts: { scope: 'all' } }, firm)).body.client).toMatchObject(kept);
    const more = { ...defaultAlerts, scope: 'all', digest_at: '07:15' };
    const reply = await set({ new_member_alerts: { digest_at: '07:15' } }, firm);
    expect(reply.body.client).toMatchObject({ new_member_alerts: more });
    expect((await invite(firm)).alerts).toEqual(more);
    expect((await read(before.id, firm.as)).alerts).toEqual(defaultAlerts);
  });

  it('are told to the owners by their names when they change, and not when they do not', async () => {
    const firm = await makePartner(identity, 'Told Firm');
    const { id } = await join('owner', firm);
    const { email } = await read(id, firm.as);
    const mails = () =>
      sent.sent.flatMap((mail) =>
        mail.kind === 'settings_changed' && mail.to === email ? [mail.settings] : [],
      );
    await set({ names_in_mails: true, new_member_alerts: { digest: 'weekdays' } }, firm);
    await set({ names_in_mails: false, new_member_alerts: { digest: 'off' } }, firm);
    await waitFor(() => mails().length > 0);
    expect(mails()).toEqual([['names_in_mails', 'new_member_alerts']]);
  });
});

describe('whom the alerts of a firm reach', () => {
  it('are its active members, in the order of their ids, with the zone of the firm where they have none', async () => {
    const firm = await makePartner(identity, 'Staffed Firm');
    await identity.call('PUT', '/v1/client/profile', { as: firm.as, body: { time_zone: 'America/Chicago' } });
    const [first, second, gone, disabled] = [
      await join('owner', firm),
      await join('viewer', firm),
      await join('viewer', firm),
      await join('viewer', firm),
    ];
    await invite(firm);
    await join('viewer', other);
    await put(second.id, { time_zone: 'America/Denver', language: 'es' }, firm.as);
    await put(disabled.id, { status: 'disabled' }, firm.as);
    await identity.call('DELETE', `/v1/client/staff/${gone.id}`, { as: firm.as });
    const reply = await firmOf(firm);
    expect(reply.members.map(({ id, role, language, time_zone }) => [id, role, language, time_zone])).toEqual(
      [
        [first.id, 'owner', 'en', 'America/Chicago'],
        [second.id, 'viewer', 'es', 'America/Denver'],
      ],
    );
    expect(reply.firm).toMatchObject({ name: 'Staffed Firm', time_zone: 'America/Chicago' });
    expect(reply.firm?.email).toContain('@');
  });

  it('are nobody while the firm is suspended, while it is being deleted, and where there is none', async () => {
    const nobody = { firm: null, members: [] };
    expect(await notifier.request('identity.firm', { partner_id: 987_654 })).toEqual(nobody);
    const firm = await makePartner(identity, 'Stopped Firm');
    await join('owner', firm);
    const row = { _id: firm.as.partner_id as never };
    const partners = identity.db.collection('partners');
    await partners.updateOne(row, { $set: { status: 'suspended' } });
    expect(await firmOf(firm)).toEqual(nobody);
    const deletion = {
      requested_at: new Date(),
      due_at: new Date(Date.now() + dayMs),
      status_before: 'active',
    };
    await partners.updateOne(row, { $set: { status: 'active', deletion } });
    expect(await firmOf(firm)).toEqual(nobody);
    await partners.updateOne(row, { $set: { deletion: null } });
    expect((await firmOf(firm)).members).toHaveLength(1);
  });
});

describe('a member who turned the mails off with a link', () => {
  const publish = (staff_id: number, at: string) => {
    const outbox = createOutbox('notifier', db, () => new Date());
    return transaction(db, (tx) => outbox.add(tx, 'staff.opted_out', `staff/${staff_id}`, { staff_id, at }));
  };
  const acts = (id: number) =>
    identity.db
      .collection('audit')
      .find({ actor: `staff:${id}`, operation: 'turn_off_alerts' })
      .toArray();

  it('gets nothing immediately and no digest; the rest stays, and a record says who it was', async () => {
    const [{ id }, colleague] = [await join(), await join()];
    await put(id, { alerts: { scope: 'all', digest_at: '06:00' } });
    await publish(id, inMs(0));
    const off = { ...defaultAlerts, immediate: [], digest: 'off', scope: 'all', digest_at: '06:00' };
    await waitFor(async () => (await read(id)).alerts.digest === 'off');
    expect((await read(id)).alerts).toEqual(off);
    expect(await acts(id)).toMatchObject([{ partner_id: partner.as.partner_id, status: 200, network: null }]);
    expect((await read(colleague.id)).alerts).toEqual(defaultAlerts);
  });

  it('keeps what was chosen since, when the event comes again', async () => {
    const [{ id, as }, last] = [await join(), await join()];
    const at = inMs(0);
    await publish(id, at);
    await waitFor(async () => (await read(id)).alerts.digest === 'off');
    await put(id, { alerts: { immediate: ['urgent'], digest: 'daily' } }, as);
    await publish(id, at);
    // Events of one stream come in order: when the last one was handled, the one before it was.
    await publish(last.id, inMs(0));
    await waitFor(async () => (await read(last.id)).alerts.digest === 'off');
    expect((await read(id)).alerts).toMatchObject({ immediate: ['urgent'], digest: 'daily' });
    expect(await acts(id)).toHaveLength(1);
  });

  it('is nobody any more: nothing is written', async () => {
    const [gone, last] = [await join(), await join()];
    await identity.call('DELETE', `/v1/client/staff/${gone.id}`, { as: partner.as });
    await publish(gone.id, inMs(0));
    await publish(999_999_999, inMs(0));
    await publish(last.id, inMs(0));
    await waitFor(async () => (await read(last.id)).alerts.digest === 'off');
    expect([await acts(gone.id), await acts(999_999_999)]).toEqual([[], []]);
    expect(await stored(gone.id)).not.toHaveProperty('alerts');
  });
});
