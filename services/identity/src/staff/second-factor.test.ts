import type { PartnerPrincipal } from '@casewatch/contracts';
import { scopesOfRole } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import { connectAs, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TOTP } from 'otpauth';
import { home, memberSignIn } from '../../test/support/members.ts';
import type { TestNotifier } from '../../test/support/notifier.ts';
import { admin, makePartner, runCommand, someAddress, type TestPartner } from '../../test/support/people.ts';
import { someNetworkAddress, wrongCode } from '../../test/support/sign-in.ts';
import type { TestIdentity } from '../../test/support/start-identity.ts';
import { useIdentity } from '../../test/support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
let other: TestPartner;
let gateway: Bus;
let cases: Bus;
useIdentity((started) => ({ identity, notifier, partner, other } = started));
beforeAll(async () => {
  [gateway, cases] = await Promise.all([
    connectAs(identity.nats, 'gateway'),
    connectAs(identity.nats, 'cases'),
  ]);
  // For the profile in the answer of a change.
  cases.serve('cases.count', async () => ({ cases: 0, active_cases: 0 }));
  await cases.connection.flush();
});
afterAll(async () => {
  await Promise.all([gateway.stop(), cases.stop()]);
});
// The limits of codes by e-mail are tested elsewhere; here one member signs in many times.
beforeEach(async () => {
  await rows('rate_limits').deleteMany({});
});

const rows = (name: string) => identity.db.collection(name);
const ended = { code: 'console_session_ended' };
const refused = { code: 'invalid_login_code' };
const place = { address: home, browser: 'Firefox on Linux' };

type Member = { id: number; email: string };

const { makeMember, codeFor } = memberSignIn(() => ({ identity, notifier, gateway, partner }));
const told = ({ email }: Member) =>
  notifier.sent.flatMap((mail) =>
    mail.kind === 'second_factor_changed' && mail.to === email ? [[mail.change, mail.codes_left]] : [],
  );

const mailCode = async (email: string) => ({ ...(await codeFor(email)), partner_id: null, ...place });

/** With the code of the e-mail: a session, or a step. */
const enter = async ({ email }: Member) =>
  await gateway.request('identity.staff_sign_in', await mailCode(email));

async function signIn(member: Member) {
  const { session } = await enter(member);
  if (session === null) throw new Error('no session');
  return session;
}

async function stepFor(member: Member) {
  const { step, session } = await enter(member);
  if (step === null || session !== null) throw new Error('no step');
  return step;
}

const look = (token: string) => gateway.request('identity.sign_in_step', { token });
const finish = (token: string, code: string) =>
  gateway.request('identity.finish_sign_in', { token, code, ...place });
const verify = (token: string) => gateway.request('identity.staff_session', { token });
const factor = (token: string) => gateway.request('identity.second_factor', { token });
const setUp = (token: string) => gateway.request('identity.set_up_second_factor', { token });
const confirm = (token: string, code: string) =>
  gateway.request('identity.confirm_second_factor', { token, code, address: place.address });
const turnOff = (token: string) =>
  gateway.request('identity.turn_off_second_factor', { token, address: place.address });

const stepMs = 30_000;
/** `steps`: of 30 s, from now. */
const appCode = (key: string, steps = 0) =>
  new TOTP({ secret: key }).generate({ timestamp: Date.now() + steps * stepMs });
/** As half a minute later: the code of the present step can be used again. */
const freshSteps = ({ id }: Member) =>
  rows('second_factors').updateOne({ _id: id as never }, { $set: { last_step: 0 } });

/** A member who signs in with a second factor, and the session in which it was set up. */
async function withFactor(of = partner, role = 'viewer') {
  const member = await makeMember(of, role);
  const { token } = await signIn(member);
  await setUp(token);
  const key = (await factor(token)).key?.text ?? '';
  const { recovery_codes: codes } = await confirm(token, appCode(key));
  await freshSteps(member);
  return { member, key, codes, token };
}

async function demand(second_factor: string, of: TestPartner) {
  const answer = await identity.call('PUT', '/v1/client/profile', { as: of.as, body: { second_factor } });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer;
}

async function principalOf(member: Member, of = partner, role = 'owner'): Promise<PartnerPrincipal> {
  return {
    kind: 'partner',
    partner_id: of.as.partner_id,
    key_id: '',
    scopes: [...scopesOfRole[role as 'owner']],
    staff_id: member.id,
    role: role as 'owner',
    signed_in_at: Math.floor(Date.now() / 1_000),
  };
}

describe('a member sets up a second factor', () => {
  it('which works when a code of it is confirmed; other sessions end, and nothing is stored in clear', async () => {
    const member = await makeMember();
    const [one, two] = [await signIn(member), await signIn(member)];
    expect(await factor(one.token)).toEqual({
      since: null,
      recovery_codes_left: 0,
      is_required: false,
      key: null,
    });
    await setUp(one.token);
    const { key } = await factor(one.token);
    expect(key?.uri).toMatch(/^otpauth:\/\/totp\/Casewatch:Law%20Firm/);
    expect(key?.text).toMatch(/^[A-Z2-7]{32}$/);
    const text = key?.text ?? '';
    await expect(confirm(one.token, wrongCode(appCode(text)))).rejects.toMatchObject(refused);
    // Not confirmed: nothing has changed.
    await verify(two.token);
    expect((await signIn(member)).session_id).toBeTruthy();
    const { recovery_codes: codes } = await confirm(one.token, appCode(text));
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/);
    await expect(verify(two.token)).rejects.toMatchObject(ended);
    await verify(one.token);
    expect(await factor(one.token)).toMatchObject({ recovery_codes_left: 10, key: null });
    await waitFor(() => told(member).length > 0, { what: 'the mail' });
    expect(told(member)).toEqual([['on', 10]]);
    for (const { name } of await identity.db.listCollections().toArray()) {
      const stored = JSON.stringify(await rows(name).find().toArray());
      for (const secret of [text, ...codes, ...codes.map((code) => code.replace('-', ''))])
        expect([name, stored.includes(secret)]).toEqual([name, false]);
    }
  });

  it('only within 15 minutes of the sign-in, as for another one and for none', async () => {
    const member = await makeMember();
    const { token, session_id } = await signIn(member);
    await setUp(token);
    const key = (await factor(token)).key?.text ?? '';
    const longAgo = { $set: { signed_in_at: new Date(Date.now() - 16 * 60_000) } };
    await rows('staff_sessions').updateOne({ _id: session_id as never }, longAgo);
    for (const act of [() => setUp(token), () => confirm(token, appCode(key)), () => turnOff(token)])
      await expect(act()).rejects.toMatchObject({ code: 'reauthentication_required' });
    expect(await rows('second_factors').countDocuments({ _id: member.id as never })).toBe(0);
  });

  it('in place of the one before, whose codes end; until the new one is confirmed the old one works', async () => {
    const { member, key, codes, token } = await withFactor();
    await setUp(token);
    await finish((await stepFor(member)).token, appCode(key));
    const next = (await factor(token)).key?.text ?? '';
    expect(next).not.toBe(key);
    await confirm(token, appCode(next));
    await freshSteps(member);
    const step = await stepFor(member);
    for (const code of [appCode(key), codes[0] ?? ''])
      await expect(finish(step.token, code)).rejects.toMatchObject(refused);
    await finish(step.token, appCode(next));
  });

  it('and turns it off: the code of the e-mail is enough again, and old codes are none', async () => {
    const { member, token } = await withFactor();
    const waiting = await stepFor(member);
    await turnOff(token);
    await turnOff(token);
    await signIn(member);
    await expect(look(waiting.token)).rejects.toMatchObject(refused);
    expect(await rows('second_factors').countDocuments({ _id: member.id as never })).toBe(0);
    await waitFor(() => told(member).length === 2, { what: 'the mail' });
    expect(told(member)).toEqual([
      ['on', 10],
      ['off', 0],
    ]);
  });
});

describe('a sign-in with a second factor', () => {
  it('opens no session before the second code, and one with all rights after it', async () => {
    const { member, key } = await withFactor();
    const sessionsBefore = await rows('staff_sessions').countDocuments({ staff_id: member.id });
    const step = await stepFor(member);
    expect(step.kind).toBe('code');
    expect(Date.parse(step.expires_at) - Date.now()).toBeLessThanOrEqual(600_000);
    expect(await look(step.token)).toEqual({ kind: 'code', partner_name: 'Law Firm', key: null });
    expect(await rows('staff_sessions').countDocuments({ staff_id: member.id })).toBe(sessionsBefore);
    const { session, recovery_codes } = await finish(step.token, appCode(key));
    expect([session.principal.staff_id, recovery_codes]).toEqual([member.id, []]);
    expect(Math.abs((session.principal.signed_in_at ?? 0) - Date.now() / 1_000)).toBeLessThan(60);
    await verify(session.token);
    await expect(finish(step.token, appCode(key, 1))).rejects.toMatchObject(refused);
  });

  it('takes a code of the step before or after, no older one, and each once', async () => {
    const { member, key } = await withFactor();
    for (const steps of [-3, 3])
      await expect(finish((await stepFor(member)).token, appCode(key, steps))).rejects.toMatchObject(refused);
    const code = appCode(key);
    await finish((await stepFor(member)).token, code);
    await expect(finish((await stepFor(member)).token, code)).rejects.toMatchObject(refused);
    // A code that was not used, of a step before a used one.
    await rows('second_factors').updateOne(
      { _id: member.id as never },
      { $set: { last_step: Math.floor(Date.now() / stepMs) + 1 } },
    );
    await expect(finish((await stepFor(member)).token, appCode(key))).rejects.toMatchObject(refused);
    await freshSteps(member);
    const spaced = appCode(key);
    await finish((await stepFor(member)).token, `${spaced.slice(0, 3)} ${spaced.slice(3)} `);
  });

  it('gives exactly one session for one code in two sign-ins at the same time, twenty times', async () => {
    const { member, key } = await withFactor();
    for (let round = 0; round < 20; round++) {
      await rows('rate_limits').deleteMany({});
      await freshSteps(member);
      const before = await rows('staff_sessions').countDocuments({ staff_id: member.id });
      const [one, two] = [await stepFor(member), await stepFor(member)];
      const code = appCode(key);
      const outcomes = await Promise.allSettled([
        finish(one.token, code),
        finish(two.token, code),
        finish(one.token, code),
      ]);
      const results = outcomes.map((each) => (each.status === 'rejected' ? each.reason.code : 'session'));
      expect(results.sort()).toEqual(['invalid_login_code', 'invalid_login_code', 'session']);
      expect(await rows('staff_sessions').countDocuments({ staff_id: member.id })).toBe(before + 1);
    }
  });

  it('compares five codes, in parallel, too, and a member’s tries are counted over all sign-ins of a day', async () => {
    const { member, key } = await withFactor();
    const { token } = await stepFor(member);
    const wrong = wrongCode(appCode(key));
    const guesses = await Promise.allSettled(Array.from({ length: 12 }, () => finish(token, wrong)));
    const codes = guesses.map((guess) => (guess.status === 'rejected' ? guess.reason.code : 'session'));
    const step = await rows('sign_in_steps').findOne({ _id: token.split('.')[0] as never });
    expect([step?.tries, step?.used_at, codes.includes('session')]).toEqual([5, null, false]);
    expect(codes.filter((code) => code === 'invalid_login_code').length).toBeLessThanOrEqual(5);
    await expect(finish(token, appCode(key))).rejects.toMatchObject({ code: 'too_many_login_attempts' });
    const next = await stepFor(member);
    const id = next.token.split('.')[0];
    let limited = '';
    for (let i = 0; i < 120 && limited === ''; i++) {
      await rows('sign_in_steps').updateOne({ _id: id as never }, { $set: { tries: 0 } });
      const { code } = (await finish(next.token, wrong).catch((error) => error)) as { code: string };
      // One in the set-up, and five above.
      if (code === 'rate_limited') limited = `after ${i + 6}`;
    }
    expect(limited).toBe('after 100');
  });

  it('takes a recovery code once, however it is typed, and tells how many are left', async () => {
    const { member, codes } = await withFactor();
    const [one = '', two = '', three = ''] = codes;
    const { token } = await stepFor(member);
    for (const wrong of ['', 'aaaaa-aaaaa', one.slice(0, 9), `${one}0`])
      await expect(finish(token, wrong)).rejects.toMatchObject(refused);
    await finish(token, ` ${one.toUpperCase().replace('-', ' ')}`);
    await expect(finish((await stepFor(member)).token, one)).rejects.toMatchObject(refused);
    const steps = [await stepFor(member), await stepFor(member)];
    const outcomes = await Promise.allSettled(steps.map((step) => finish(step.token, two)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await finish((await stepFor(member)).token, three);
    await waitFor(() => told(member).length === 4, { what: 'the mails' });
    expect(
      told(member)
        .map(([change, left]) => `${change} ${left}`)
        .sort(),
    ).toEqual(['on 10', 'recovery_code_used 7', 'recovery_code_used 8', 'recovery_code_used 9']);
    const foreign = await withFactor();
    await expect(finish((await stepFor(foreign.member)).token, codes[4] ?? '')).rejects.toMatchObject(
      refused,
    );
  });

  it('is over after ten minutes, and when the member is disabled or removed', async () => {
    const { member, key } = await withFactor();
    const { token } = await stepFor(member);
    const past = { $set: { expires_at: new Date(Date.now() - 1_000) } };
    await rows('sign_in_steps').updateOne({ _id: token.split('.')[0] as never }, past);
    await expect(finish(token, appCode(key))).rejects.toMatchObject(refused);
    const next = await stepFor(member);
    const path = `/v1/client/staff/${member.id}`;
    await identity.call('PUT', path, { as: partner.as, body: { status: 'disabled' } });
    await expect(finish(next.token, appCode(key))).rejects.toMatchObject(refused);
    await identity.call('PUT', path, { as: partner.as, body: { status: 'active' } });
    const last = await stepFor(member);
    await identity.call('DELETE', path, { as: partner.as });
    for (const ask of [() => look(last.token), () => finish(last.token, appCode(key))])
      await expect(ask()).rejects.toMatchObject(refused);
    for (const name of ['second_factors', 'sign_in_steps'])
      expect(
        await rows(name).countDocuments({ $or: [{ _id: member.id as never }, { staff_id: member.id }] }),
      ).toBe(0);
  });

  it('tells nobody that there is a second factor before the code of the e-mail', async () => {
    const [plain, { member }] = [await makeMember(), await withFactor()];
    const answers = [];
    for (const { email } of [plain, member, { email: someAddress() }]) {
      const address = someNetworkAddress();
      const asked = await gateway.request('identity.request_staff_code', { email, address });
      const guess = { email, code: '000000', request_id: asked.request_id, partner_id: null, ...place };
      const error = await gateway.request('identity.staff_sign_in', guess).catch((one) => one);
      answers.push([Object.keys(asked), asked.expires_in, error.code, error.message]);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('has a token that is nothing else, and nothing else is one', async () => {
    const { member, key, token: ofSession } = await withFactor();
    const asked = await mailCode(member.email);
    const { step } = await gateway.request('identity.staff_sign_in', asked);
    const token = step?.token ?? '';
    for (const ask of [
      'identity.staff_session',
      'identity.renew_staff_session',
      'identity.staff_sessions',
      'identity.second_factor',
      'identity.set_up_second_factor',
      'identity.console_session',
      'identity.renew_console',
    ] as const)
      await expect(gateway.request(ask, { token })).rejects.toMatchObject(ended);
    await expect(gateway.request('identity.open_console', { link_token: token })).rejects.toMatchObject({
      code: 'console_link_invalid',
    });
    await expect(gateway.request('identity.accept_invitation', { token, ...place })).rejects.toMatchObject({
      code: 'invalid_invitation_token',
    });
    const refresh = { grant_type: 'refresh_token', refresh_token: token };
    expect((await identity.call('POST', '/v1/auth/token', { body: refresh })).body.code).toBe(
      'invalid_refresh_token',
    );
    const guess = { ...asked, request_id: token.split('.')[0] ?? '' };
    for (const code of [asked.code, appCode(key)])
      await expect(gateway.request('identity.staff_sign_in', { ...guess, code })).rejects.toMatchObject(
        refused,
      );
    // A set-up within a session is no step of a sign-in, though its row has the id of the session.
    await setUp(ofSession);
    const [sessionId = ''] = ofSession.split('.');
    const [stepId, mac] = token.split('.');
    for (const forged of [ofSession, `${sessionId}.${mac}`, `${stepId}.`, 'x', asked.code])
      await expect(finish(forged, appCode(key))).rejects.toMatchObject(refused);
    await finish(token, appCode(key));
  });
});

describe('a firm that requires a second factor', () => {
  it('lets nobody in without: sessions made before are none, and do not come back when it ends', async () => {
    const firm = await makePartner(identity, 'Strict Firm');
    const [owner, viewer] = [await makeMember(firm, 'owner'), await makeMember(firm, 'viewer')];
    const [ofOwner, ofViewer] = [await signIn(owner), await signIn(viewer)];
    const revision = async () => (await gateway.request('identity.revocations', { since: null })).revision;
    const before = await revision();
    expect((await demand('owners', firm)).body).toMatchObject({ client: { second_factor: 'owners' } });
    const { changes } = await gateway.request('identity.revocations', { since: before });
    expect(changes).toContainEqual({ kind: 'partner', id: String(firm.as.partner_id) });
    await verify(ofViewer.token);
    const stolen = ofOwner.token;
    for (const act of [
      verify,
      (token: string) => gateway.request('identity.renew_staff_session', { token }),
      (token: string) => gateway.request('identity.staff_sessions', { token }),
      (token: string) => gateway.request('identity.end_other_staff_session', { token, session_id: 'x' }),
      factor,
      setUp,
      (token: string) => confirm(token, '000000'),
      turnOff,
    ])
      await expect(act(stolen)).rejects.toMatchObject(ended);
    await demand('all', firm);
    await expect(verify(ofViewer.token)).rejects.toMatchObject(ended);
    await demand('none', firm);
    for (const { token } of [ofOwner, ofViewer]) await expect(verify(token)).rejects.toMatchObject(ended);
    expect((await signIn(owner)).principal.staff_id).toBe(owner.id);
  });

  it('is told by mail, each owner of it, and takes no other word', async () => {
    const firm = await makePartner(identity, 'Telling Firm');
    const owner = await makeMember(firm, 'owner');
    await demand('owners', firm);
    await demand('owners', firm);
    const mails = () =>
      notifier.sent.filter(({ to, kind }) => to === owner.email && kind === 'settings_changed');
    await waitFor(() => mails().length > 0, { what: 'the mail' });
    expect(mails()).toMatchObject([{ settings: ['second_factor'] }]);
    for (const second_factor of ['editors', null, true, ''])
      await expect(demand(second_factor as string, firm)).rejects.toThrow('validation_failed');
  });

  it('does not sign out who needs none when it asks fewer', async () => {
    const firm = await makePartner(identity, 'Milder Firm');
    await demand('owners', firm);
    const viewer = await makeMember(firm, 'viewer');
    const { token } = await signIn(viewer);
    await demand('none', firm);
    await verify(token);
  });

  it('has the second factor set up between the code of the e-mail and the session', async () => {
    const firm = await makePartner(identity, 'Careful Firm');
    await demand('all', firm);
    const member = await makeMember(firm);
    const step = await stepFor(member);
    expect(step.kind).toBe('set_up');
    const { key } = await look(step.token);
    // Shown again, it is the same; another browser has another, so nobody confirms a key that somebody else saw.
    expect((await look(step.token)).key).toEqual(key);
    const elsewhere = await stepFor(member);
    const foreign = (await look(elsewhere.token)).key;
    expect(foreign?.text).not.toBe(key?.text);
    const text = key?.text ?? '';
    await expect(finish(step.token, wrongCode(appCode(text)))).rejects.toMatchObject(refused);
    await expect(finish(step.token, appCode(foreign?.text ?? ''))).rejects.toMatchObject(refused);
    const { session, recovery_codes } = await finish(step.token, appCode(text));
    expect(recovery_codes).toHaveLength(10);
    await verify(session.token);
    // Who only reads the member's mail does not replace it with the step that was open.
    await expect(finish(elsewhere.token, appCode(foreign?.text ?? ''))).rejects.toMatchObject(refused);
    await expect(turnOff(session.token)).rejects.toMatchObject({ code: 'validation_failed' });
    expect((await factor(session.token)).is_required).toBe(true);
    expect((await stepFor(member)).kind).toBe('code');
  });

  it('sets up one for two browsers that confirm theirs at the same time', async () => {
    const firm = await makePartner(identity, 'Racing Firm');
    await demand('all', firm);
    for (let round = 0; round < 5; round++) {
      const member = await makeMember(firm);
      const steps = [await stepFor(member), await stepFor(member)];
      const keys = await Promise.all(steps.map(async ({ token }) => (await look(token)).key?.text ?? ''));
      const outcomes = await Promise.allSettled(
        steps.map(({ token }, i) => finish(token, appCode(keys[i] ?? ''))),
      );
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
      await freshSteps(member);
      await finish((await stepFor(member)).token, appCode(keys[winner] ?? ''));
    }
  });

  it('has invited members set it up when they accept', async () => {
    const firm = await makePartner(identity, 'Inviting Firm');
    await demand('all', firm);
    const email = someAddress();
    const body = { email, name: 'New Member', role: 'viewer' };
    await identity.call('POST', '/v1/client/staff', { as: firm.as, body });
    const mail = await notifier.mailTo(email);
    const token = new URL('link' in mail ? mail.link : '').searchParams.get('token') ?? '';
    const accepted = await gateway.request('identity.accept_invitation', { token, ...place });
    expect([accepted.session, accepted.step?.kind]).toEqual([null, 'set_up']);
    const step = accepted.step?.token ?? '';
    const { session } = await finish(step, appCode((await look(step)).key?.text ?? ''));
    await verify(session.token);
    const isSent = async () =>
      (await rows('staff_notices').countDocuments({ 'delivery.status': 'queued' })) === 0;
    await waitFor(isSent, { what: 'that no mail waits' });
    const news = notifier.sent.filter(({ kind, to }) => kind === 'staff_signed_in' && to === email);
    expect(news).toEqual([]);
  });

  it('asks a member who becomes an owner', async () => {
    const firm = await makePartner(identity, 'Promoting Firm');
    await demand('owners', firm);
    const member = await makeMember(firm, 'editor');
    const { token } = await signIn(member);
    await identity.call('PUT', `/v1/client/staff/${member.id}`, { as: firm.as, body: { role: 'owner' } });
    await expect(verify(token)).rejects.toMatchObject(ended);
    expect((await stepFor(member)).kind).toBe('set_up');
  });

  it('of an owner ends sessions without it also when the member is an owner no more', async () => {
    const firm = await makePartner(identity, 'Demoting Firm');
    const [member, editor] = [await makeMember(firm, 'owner'), await makeMember(firm, 'editor')];
    await makeMember(firm, 'owner');
    const [old, others] = [await signIn(member), await signIn(editor)];
    await demand('owners', firm);
    await expect(verify(old.token)).rejects.toMatchObject(ended);
    for (const { id } of [member, editor]) {
      const body = { role: 'viewer' };
      const { status } = await identity.call('PUT', `/v1/client/staff/${id}`, { as: firm.as, body });
      expect(status).toBe(200);
    }
    await expect(verify(old.token)).rejects.toMatchObject(ended);
    // A role that never needed one keeps its sessions.
    await verify(others.token);
  });
});

describe('a lost second factor', () => {
  const reset = (id: number, as: PartnerPrincipal) =>
    identity.call('DELETE', `/v1/client/staff/${id}/second-factor`, { as });

  it('is removed by an owner: the sessions end, the member is told, and it is recorded', async () => {
    const { member, token } = await withFactor();
    const owner = await makeMember(partner, 'owner');
    const waiting = await stepFor(member);
    const read = async () =>
      (await identity.call('GET', `/v1/client/staff/${member.id}`, { as: partner.as })).body.staff_member;
    expect(await read()).toMatchObject({ second_factor: true });
    const stranger = await principalOf(await makeMember(other, 'owner'), other);
    expect((await reset(member.id, stranger)).status).toBe(404);
    const old = { ...(await principalOf(owner)), signed_in_at: Math.floor(Date.now() / 1_000) - 16 * 60 };
    expect((await reset(member.id, old)).body.code).toBe('reauthentication_required');
    await verify(token);
    const answer = await reset(member.id, await principalOf(owner));
    expect([answer.status, answer.body.staff_member]).toMatchObject([200, { second_factor: false }]);
    await expect(verify(token)).rejects.toMatchObject(ended);
    await expect(look(waiting.token)).rejects.toMatchObject(refused);
    await signIn(member);
    expect((await reset(member.id, partner.as)).body.message).toBe('The member has no second factor.');
    await waitFor(() => told(member).length === 2, { what: 'the mail' });
    expect(told(member)[1]).toEqual(['reset', 0]);
    const records = async () =>
      await rows('audit')
        .find({ operation: 'reset_second_factor', objects: `staff:${member.id}`, status: 200 })
        .toArray();
    await waitFor(async () => (await records()).length > 0, { timeoutMs: 30_000, what: 'the record' });
    expect((await records()).map(({ actor }) => actor)).toEqual([`staff:${owner.id}`]);
  });

  it('of the last owner is removed by the operator', async () => {
    const firm = await makePartner(identity, 'Lonely Firm');
    const { member, token } = await withFactor(firm, 'owner');
    await demand('owners', firm);
    const args = ['staff', 'reset-second-factor', '--staff', String(member.id)];
    const of = { id: member.id, partner_id: firm.as.partner_id };
    expect(await admin(identity, ...args)).toEqual({ staff_member: { ...of, reset: true } });
    expect(await admin(identity, ...args)).toEqual({ staff_member: { ...of, reset: false } });
    await expect(verify(token)).rejects.toMatchObject(ended);
    expect((await stepFor(member)).kind).toBe('set_up');
    await waitFor(() => told(member).length === 2, { timeoutMs: 30_000, what: 'the mail' });
    const record = await rows('audit').findOne({
      operation: 'admin staff reset-second-factor',
      partner_id: firm.as.partner_id,
    });
    expect(record?.objects).toEqual([`staff:${member.id}`]);
    expect((await runCommand(identity, ['staff', 'reset-second-factor', '--staff', '999999999'])).code).toBe(
      1,
    );
  });

  it('stands in the records of the member’s acts and in the export, as a time and never as a secret', async () => {
    const { member, key, codes } = await withFactor();
    await finish((await stepFor(member)).token, codes[0] ?? '');
    const { body, text } = await identity.call('GET', `/v1/client/staff/${member.id}/export`, {
      as: partner.as,
    });
    expect(body.staff_member).toMatchObject({ second_factor: true, second_factor_since: expect.any(String) });
    for (const secret of [key, ...codes]) expect(text).not.toContain(secret);
    const acts = await rows('audit')
      .find({ actor: `staff:${member.id}` })
      .sort({ _id: 1 })
      .toArray();
    expect(acts.map(({ operation }) => operation).sort()).toEqual([
      'set_up_second_factor',
      'sign_in',
      'sign_in',
      'use_recovery_code',
    ]);
    const gone = await identity.call('DELETE', `/v1/client/staff/${member.id}`, { as: partner.as });
    expect(gone.status).toBe(200);
    const removed = await identity.call('GET', `/v1/client/staff/${member.id}/export`, { as: partner.as });
    expect(removed.body.staff_member).toMatchObject({ second_factor: false, second_factor_since: null });
  });
});
