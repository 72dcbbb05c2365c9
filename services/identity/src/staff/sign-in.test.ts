import type { PartnerPrincipal } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { type Guess, home, memberSignIn } from '../../test/support/members.ts';
import type { TestNotifier } from '../../test/support/notifier.ts';
import { admin, makePartner, makeUser, someAddress, type TestPartner } from '../../test/support/people.ts';
import { someNetworkAddress } from '../../test/support/sign-in.ts';
import type { TestIdentity } from '../../test/support/start-identity.ts';
import { useIdentity } from '../../test/support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
let gateway: Bus;
useIdentity((started) => ({ identity, notifier, partner, gateway } = started));

const ended = { code: 'console_session_ended' };

const { makeMember, mailsWithCode, codeFor, enter, signIn } = memberSignIn(() => ({
  identity,
  notifier,
  gateway,
  partner,
}));

const verify = (token: string) => gateway.request('identity.staff_session', { token });
const renew = (token: string) => gateway.request('identity.renew_staff_session', { token });
const end = (token: string, all = false) => gateway.request('identity.end_staff_session', { token, all });
const sessions = () => identity.db.collection('staff_sessions');
const change = (id: number, body: object) =>
  identity.call('PUT', `/v1/client/staff/${id}`, { as: partner.as, body });
const revision = async () => (await gateway.request('identity.revocations', { since: null })).revision;

describe('a member signs in', () => {
  it('with a code, and gets a session with the role and no key', async () => {
    const { id, email } = await makeMember(partner, 'editor');
    const session = await signIn(email);
    expect(session).toMatchObject({
      actor: 'A Member',
      partner_name: 'Law Firm',
      read_only: false,
      principal: {
        kind: 'partner',
        partner_id: partner.as.partner_id,
        key_id: '',
        staff_id: id,
        role: 'editor',
      },
    });
    expect(session.principal.scopes).not.toContain('keys');
    expect(Math.abs((session.principal.signed_in_at ?? 0) - Date.now() / 1_000)).toBeLessThan(60);
    expect(Date.parse(session.expires_at) - Date.now()).toBeLessThanOrEqual(12 * 3_600_000);
    expect((await verify(session.token)).session_id).toBe(session.session_id);
    const row = await identity.db.collection('staff').findOne({ _id: id as never });
    expect(row?.last_seen_at).toBeInstanceOf(Date);
    const stored = JSON.stringify(await sessions().findOne({ _id: session.session_id as never }));
    expect(stored).not.toContain(session.token.split('.')[2]);
  });

  it('and the code is used up, wrong ones count against five tries, and parallel guesses do not get more', async () => {
    const { email } = await makeMember();
    const asked = await codeFor(email);
    await enter(asked);
    await expect(enter(asked)).rejects.toMatchObject({ code: 'invalid_login_code' });
    const next = await codeFor(email);
    const wrong = { ...next, code: next.code === '000000' ? '000001' : '000000' };
    const guesses = await Promise.allSettled(Array.from({ length: 12 }, () => enter(wrong)));
    const codes = guesses.map((guess) => (guess.status === 'rejected' ? guess.reason.code : 'entered'));
    expect(codes.filter((code) => code === 'invalid_login_code')).toHaveLength(5);
    expect(codes.filter((code) => code === 'too_many_login_attempts')).toHaveLength(7);
    await expect(enter(next)).rejects.toMatchObject({ code: 'too_many_login_attempts' });
  });

  it('is told by mail of a network or a browser that is new, and of nothing else', async () => {
    const { id, email } = await makeMember();
    const notices = (filter: object) =>
      identity.db.collection('staff_notices').countDocuments({ staff_id: id, ...filter });
    const told = () =>
      notifier.sent.filter(({ kind, to }) => kind === 'staff_signed_in' && to === email).length;
    const enterFrom = async (address: string, browser: string) =>
      await enter(await codeFor(email), address, browser);
    await enterFrom(home, 'Firefox on Linux');
    await waitFor(() => told() === 1, { what: 'the mail about the first place' });
    await enterFrom(home, 'Safari on iPhone');
    await waitFor(() => told() === 2, { what: 'the mail about the browser' });
    await enterFrom('198.51.100.77', 'Safari on iPhone');
    await waitFor(() => told() === 3, { what: 'the mail about the network' });
    for (const [address, browser] of [
      [home, 'Safari on iPhone'],
      ['198.51.100.77', 'Firefox on Linux'],
    ] as const)
      await enterFrom(address, browser);
    const isSent = async () => (await notices({ 'delivery.status': 'queued' })) === 0;
    await waitFor(isSent, { what: 'that no mail waits' });
    expect([told(), await notices({})]).toEqual([3, 3]);
  });

  it('sees the own sessions, and ends one of them', async () => {
    const [one, other] = [await makeMember(), await makeMember()];
    const [first, second, foreign] = [
      await signIn(one.email),
      await signIn(one.email),
      await signIn(other.email),
    ];
    const { sessions: shown } = await gateway.request('identity.staff_sessions', { token: first.token });
    const isOwn = new Map(shown.map(({ id, is_own }) => [id, is_own]));
    expect([
      isOwn.get(first.session_id),
      isOwn.get(second.session_id),
      isOwn.has(foreign.session_id),
    ]).toEqual([true, false, false]);
    expect(shown[0]).toMatchObject({ browser: 'Firefox on Linux', network: expect.stringMatching(/\/24$/) });
    const end = (session_id: string) =>
      gateway.request('identity.end_other_staff_session', { token: first.token, session_id });
    await expect(end(foreign.session_id)).rejects.toMatchObject({ code: 'staff_not_found' });
    expect(await end(second.session_id)).toEqual({ ended: true });
    await expect(verify(second.token)).rejects.toMatchObject({ code: 'console_session_ended' });
    expect((await verify(foreign.token)).session_id).toBe(foreign.session_id);
  });

  it('in parallel with one code once', async () => {
    const { email } = await makeMember();
    const asked = await codeFor(email);
    const entered = await Promise.allSettled([1, 2, 3, 4].map(() => enter(asked)));
    expect(entered.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('with the same answer as for an address that nobody has, or of a member who is not active; and no mail', async () => {
    const invited = someAddress();
    const body = { email: invited, name: 'X', role: 'viewer' };
    await identity.call('POST', '/v1/client/staff', { as: partner.as, body });
    const disabled = await makeMember();
    await change(disabled.id, { status: 'disabled' });
    const removed = await makeMember();
    await identity.call('DELETE', `/v1/client/staff/${removed.id}`, { as: partner.as });
    const known = await makeMember();
    for (const email of [someAddress(), invited, disabled.email, removed.email, known.email]) {
      const answer = await gateway.request('identity.request_staff_code', { email, address: home });
      expect(answer).toEqual({ request_id: expect.any(String), expires_in: 600 });
      await expect(enter({ email, code: '000000', request_id: answer.request_id })).rejects.toMatchObject({
        code: 'invalid_login_code',
      });
    }
    await waitFor(() => mailsWithCode(known.email).length === 1, { what: 'the code of the member' });
    expect(notifier.sent).toContainEqual(
      expect.objectContaining({ kind: 'login_code', to: known.email, for_staff: true }),
    );
    for (const email of [invited, disabled.email, removed.email]) expect(mailsWithCode(email)).toEqual([]);
  });

  it('is limited for an address by its own counts: those of people are left as they were', async () => {
    const { email } = await makeMember();
    const ask = (address: string) => gateway.request('identity.request_staff_code', { email, address });
    const network = someNetworkAddress();
    for (let i = 0; i < 5; i++) await ask(network);
    await expect(ask(network)).rejects.toMatchObject({ code: 'rate_limited' });
    const asPerson = await identity.call('POST', '/v1/auth/login-code', {
      body: { email },
      address: network,
    });
    expect(asPerson.status).toBe(200);
  });

  it('at one of several partners, which is chosen without using the code up', async () => {
    const firm = await makePartner(identity, 'Second Firm');
    const { id, email } = await makeMember();
    const second = await makeMember(firm, 'owner', email);
    const asked = await codeFor(email);
    const { session, choices } = await enter(asked);
    expect([session, choices.map(({ partner_name }) => partner_name).sort()]).toEqual([
      null,
      ['Law Firm', 'Second Firm'],
    ]);
    const elsewhere = await makePartner(identity, 'Third Firm');
    await expect(enter({ ...asked, partner_id: elsewhere.as.partner_id })).rejects.toMatchObject({
      code: 'invalid_login_code',
    });
    const chosen = await enter({ ...asked, partner_id: firm.as.partner_id });
    expect(chosen.session?.principal).toMatchObject({ staff_id: second.id, role: 'owner' });
    expect(chosen.session?.principal.staff_id).not.toBe(id);
  });

  it('at one of several partners, of which another one learns nothing, and the member everything', async () => {
    const firm = await makePartner(identity, 'Discreet Firm');
    const { id, email } = await makeMember();
    await makeMember(firm, 'owner', email);
    const { session } = await enter({ ...(await codeFor(email)), partner_id: firm.as.partner_id });
    const path = `/v1/client/staff/${id}/export`;
    const codesIn = async (as: PartnerPrincipal) => {
      const { body } = await identity.call('GET', path, { as });
      return (body.staff_member as { sign_in_codes: unknown[] }).sign_in_codes;
    };
    expect(session?.principal.partner_id).toBe(firm.as.partner_id);
    expect(await codesIn(partner.as)).toEqual([]);
    const now = Math.floor(Date.now() / 1_000);
    const own = { ...partner.as, key_id: '', staff_id: id, role: 'viewer', signed_in_at: now } as const;
    expect(await codesIn(own)).toMatchObject([{ used_at: expect.any(String) }]);
  });

  it('not while the partner is suspended', async () => {
    const firm = await makePartner(identity, 'Suspended Firm');
    const { email } = await makeMember(firm);
    const session = await signIn(email);
    const asked = await codeFor(email);
    await admin(identity, 'partner', 'suspend', '--partner', String(firm.as.partner_id));
    await expect(enter(asked)).rejects.toMatchObject({ code: 'partner_suspended' });
    await expect(verify(session.token)).rejects.toMatchObject({ code: 'partner_suspended' });
  });
});

describe('the two worlds', () => {
  it('do not take each other’s codes, though person and member have one address', async () => {
    const member = await makeMember();
    const person = await makeUser(identity, partner, { email: member.email });
    const ofMember = await codeFor(member.email);
    const seen = mailsWithCode(person.email).length;
    const { body } = await identity.call('POST', '/v1/auth/login-code', { body: { email: person.email } });
    const code = await waitFor(() => mailsWithCode(person.email)[seen], { what: 'the code of the person' });
    const purposes = notifier.sent.flatMap((mail) =>
      mail.kind === 'login_code' && mail.to === person.email ? [mail.for_staff === true] : [],
    );
    expect(purposes.slice(seen)).toEqual([false]);
    const ofPerson = { email: person.email, code, request_id: String(body.request_id) };
    const asPerson = (guess: Guess) => identity.call('POST', '/v1/auth/token', { body: guess });
    for (const request_id of [ofPerson.request_id, null, ofMember.request_id]) {
      const isOwnCode = ofPerson.code === ofMember.code;
      if (!isOwnCode)
        await expect(enter({ ...ofPerson, request_id })).rejects.toMatchObject({
          code: 'invalid_login_code',
        });
    }
    const { request_id: _id, ...withoutId } = ofMember;
    expect((await asPerson(ofMember)).body.code).toBe('invalid_login_code');
    expect((await identity.call('POST', '/v1/auth/token', { body: withoutId })).body.code).toBe(
      'invalid_login_code',
    );
    const checked = await identity.call('POST', '/v1/auth/login-code/verify', { body: ofMember });
    expect(checked.body.code).toBe('invalid_login_code');
    expect((await asPerson(ofPerson)).status).toBe(200);
  });

  it('do not take each other’s tokens', async () => {
    const { email } = await makeMember();
    const { token } = await signIn(email);
    const [id, generation, mac] = token.split('.');
    const body = { grant_type: 'refresh_token', refresh_token: token };
    expect((await identity.call('POST', '/v1/auth/token', { body })).body.code).toBe('invalid_refresh_token');
    for (const ask of ['identity.console_session', 'identity.renew_console'] as const)
      await expect(gateway.request(ask, { token })).rejects.toMatchObject(ended);
    expect(await gateway.request('identity.end_console', { token })).toEqual({ ended: false });
    const link = await identity.call('POST', '/v1/client/console-links', {
      as: partner.as,
      body: { actor: 'x' },
    });
    const link_token =
      new URL((link.body.console_link as { url: string }).url).searchParams.get('token') ?? '';
    await expect(verify(link_token)).rejects.toMatchObject(ended);
    const { token: ofLink } = await gateway.request('identity.open_console', { link_token });
    for (const forged of [ofLink, `${id}.${Number(generation) + 1}.${mac}`, `${id}.1.`, 'x', '1.1.1'])
      await expect(verify(forged)).rejects.toMatchObject(ended);
    expect(await end(ofLink, true)).toEqual({ ended: false });
    await verify(token);
  });
});

describe('a session', () => {
  it('gets a new token; the former one works half a minute longer, and then ends the session', async () => {
    const { email } = await makeMember();
    const { token, session_id } = await signIn(email);
    const [one, two] = await Promise.all([renew(token), renew(token)]);
    expect([one.token === token, one.token]).toEqual([false, two.token]);
    await verify(token);
    const later = { $set: { rotated_at: new Date(Date.now() - 31_000) } };
    await sessions().updateOne({ _id: session_id as never }, later);
    await expect(verify(token)).rejects.toMatchObject(ended);
    await expect(verify(one.token)).rejects.toMatchObject(ended);
  });

  it('that ended so is no sign-out of the member in the activity; each end has a record of what it was', async () => {
    const { id, email } = await makeMember();
    const [left, stolen] = [await signIn(email), await signIn(email)];
    await end(left.token);
    await renew(stolen.token);
    const later = { $set: { rotated_at: new Date(Date.now() - 31_000) } };
    await sessions().updateOne({ _id: stolen.session_id as never }, later);
    await expect(verify(stolen.token)).rejects.toMatchObject(ended);
    const { body } = await identity.call('GET', `/v1/client/audit?actor=staff:${id}`, { as: partner.as });
    expect((body.records as { operation: string }[]).map(({ operation }) => operation)).toEqual([
      'end_reused_session',
      'sign_out',
      'sign_in',
      'sign_in',
    ]);
  });

  it.each([
    ['after 12 hours without use', 'idle_expires_at'],
    ['after 7 days', 'expires_at'],
  ])('ends %s', async (_when, field) => {
    const { email } = await makeMember();
    const { token, session_id } = await signIn(email);
    const row = await sessions().findOne({ _id: session_id as never });
    const hours = (row?.[field].getTime() - row?.signed_in_at.getTime()) / 3_600_000;
    expect(hours).toBe(field === 'expires_at' ? 7 * 24 : 12);
    await sessions().updateOne({ _id: session_id as never }, { $set: { [field]: new Date() } });
    for (const ask of [verify, renew]) await expect(ask(token)).rejects.toMatchObject(ended);
  });

  it('does not live beyond its seven days by being renewed', async () => {
    const { email } = await makeMember();
    const { token, session_id } = await signIn(email);
    const inAnHour = new Date(Date.now() + 3_600_000);
    await sessions().updateOne({ _id: session_id as never }, { $set: { expires_at: inAnHour } });
    expect((await renew(token)).expires_at).toBe(inAnHour.toISOString());
  });

  it('has the new role after a change, and the gateways are told', async () => {
    const { id, email } = await makeMember(partner, 'editor');
    const { token } = await signIn(email);
    const before = await revision();
    await change(id, { role: 'viewer' });
    const { changes } = await gateway.request('identity.revocations', { since: before });
    expect(changes).toEqual([{ kind: 'staff', id: String(id) }]);
    expect((await verify(token)).principal.role).toBe('viewer');
    await change(id, { name: 'Renamed' });
    expect(await revision()).toBe(before + 1);
    expect((await verify(token)).actor).toBe('Renamed');
  });

  it.each([
    ['is disabled', (id: number) => change(id, { status: 'disabled' })],
    ['is removed', (id: number) => identity.call('DELETE', `/v1/client/staff/${id}`, { as: partner.as })],
    ['is erased', (id: number) => admin(identity, 'staff', 'erase', '--staff', String(id))],
  ])('ends, and so do codes, when the member %s; nothing comes back with the access', async (_how, take) => {
    const { id, email } = await makeMember();
    const { token } = await signIn(email);
    const waiting = await codeFor(email);
    const before = await revision();
    await take(id);
    await expect(verify(token)).rejects.toMatchObject(ended);
    await expect(enter(waiting)).rejects.toMatchObject({ code: 'invalid_login_code' });
    const { changes } = await gateway.request('identity.revocations', { since: before });
    expect(changes).toContainEqual({ kind: 'staff', id: String(id) });
    await change(id, { status: 'active' });
    await expect(verify(token)).rejects.toMatchObject(ended);
  });

  it('opens not beside a removal: of both at the same time, no session is left', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, email } = await makeMember();
      const asked = await codeFor(email);
      const [entered] = await Promise.allSettled([
        enter(asked),
        identity.call('DELETE', `/v1/client/staff/${id}`, { as: partner.as }),
      ]);
      if (entered.status === 'fulfilled')
        await expect(verify(entered.value.session?.token ?? '')).rejects.toMatchObject(ended);
      expect(await sessions().countDocuments({ staff_id: id, ended_at: null })).toBe(0);
    }
  });

  it('ends alone, or with all of the member', async () => {
    const { email } = await makeMember();
    const other = await makeMember();
    const [one, two, three] = [await signIn(email), await signIn(email), await signIn(email)];
    const foreign = await signIn(other.email);
    expect(await end(one.token)).toEqual({ ended: true });
    await expect(verify(one.token)).rejects.toMatchObject(ended);
    await verify(two.token);
    expect(await end(two.token, true)).toEqual({ ended: true });
    for (const { token } of [two, three]) await expect(verify(token)).rejects.toMatchObject(ended);
    const row = await identity.db.collection('staff').findOne({ email });
    const exported = await identity.call('GET', `/v1/client/staff/${row?._id}/export`, { as: partner.as });
    const { sessions: kept } = exported.body.staff_member as { sessions: { ended_at: string | null }[] };
    expect(kept.map(({ ended_at }) => ended_at === null)).toEqual([false, false, false]);
    await verify(foreign.token);
  });
});
