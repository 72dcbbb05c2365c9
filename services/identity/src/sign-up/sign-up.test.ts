import { ApiError, type Bus } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../../test/support/notifier.ts';
import { makeUser, someAddress, type TestPartner } from '../../test/support/people.ts';
import { requestCode, someNetworkAddress } from '../../test/support/sign-in.ts';
import { pepper, type TestIdentity } from '../../test/support/start-identity.ts';
import { useIdentity } from '../../test/support/use-identity.ts';
import { loginCodeOf } from '../credentials/login-code.ts';
import { createMacs } from '../credentials/macs.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
let gateway: Bus;
useIdentity((started) => ({ identity, notifier, partner, gateway } = started));

const users = (email: string) => identity.db.collection('users').countDocuments({ email_lower: email });
const welcomes = (filter: object) => identity.db.collection('welcomes').countDocuments(filter);
const challenges = () => identity.db.collection('login_challenges');

/** On a busy machine an answer can come too late: then it is asked again. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const [answer] = await waitFor(async () => {
    try {
      return [await work()] as [T];
    } catch (error) {
      if (error instanceof ApiError && error.code === 'service_unavailable') return undefined;
      throw error;
    }
  });
  return answer;
}

const ask = (email: string, address = someNetworkAddress()) =>
  patiently(() => gateway.request('identity.request_entry', { email, language: 'pt', address }));

/** What the mail queue of codes made of a request. */
async function settled(requestId: string): Promise<string> {
  return await waitFor(
    async () => {
      const row = await challenges().findOne({ _id: requestId as never });
      return row?.delivery.status !== 'queued' && (row?.delivery.status as string);
    },
    { what: 'the end of a request' },
  );
}

const linksTo = (email: string) =>
  notifier.sent.flatMap((mail) => (mail.kind === 'welcome' && mail.to === email ? [mail.link] : []));
const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? '';

/** The token of a new welcome. */
async function welcomed(email: string): Promise<string> {
  const seen = linksTo(email).length;
  await ask(email);
  return tokenOf(await waitFor(() => linksTo(email)[seen], { what: `a welcome to ${email}` }));
}

const look = async (token: string) =>
  (await patiently(() => gateway.request('identity.welcome', { token }))).welcome;
const open = (token: string, address = someNetworkAddress()) =>
  patiently(() => gateway.request('identity.open_account', { token, language: 'pt', address }));
const refused = { code: 'invalid_verification_token' };
const taken = { code: 'email_already_exists' };

describe('an address that is typed on the front page', () => {
  it('gets a code if somebody has it, of whichever partner, and no welcome', async () => {
    const { email } = await makeUser(identity, partner);
    const { request_id } = await ask(email);
    expect(await settled(request_id)).toBe('sent');
    const mail = notifier.sent.find(({ message_id }) => message_id === `login-${request_id}`);
    expect(mail).toMatchObject({ kind: 'login_code', to: email });
    expect(await welcomes({ email_lower: email })).toBe(0);
  });

  it('gets a welcome if nobody has it, in the language of the page, and there is no account yet', async () => {
    const email = `New.${someAddress()}`;
    const { request_id } = await ask(email);
    expect(await settled(request_id)).toBe('skipped');
    const mail = await notifier.mailTo(email);
    expect(mail).toMatchObject({ kind: 'welcome', language: 'pt', message_id: `welcome-${request_id}` });
    expect(linksTo(email)[0]).toMatch(/\/welcome\?token=[^&]+&language=pt$/);
    expect(await users(email.toLowerCase())).toBe(0);
    expect(notifier.sent.filter(({ to }) => to === email)).toHaveLength(1);
  });

  it('gets a welcome if somebody only asked for it: no code from here moves an account to an unconfirmed address', async () => {
    const [user, pending] = [await makeUser(identity, partner), someAddress()];
    const set = { pending_email: pending };
    await identity.db.collection('users').updateOne({ _id: user.id as never }, { $set: set });
    const { request_id } = await ask(pending);
    expect(await settled(request_id)).toBe('skipped');
    expect(await notifier.mailTo(pending)).toMatchObject({ kind: 'welcome' });
    // Even a guess of its code opens no session.
    const row = await challenges().findOne({ _id: request_id as never });
    const code = loginCodeOf(row as never, createMacs([pepper]));
    const body = { email: pending, code, request_id };
    const entered = await identity.call('POST', '/v1/auth/token', { body });
    expect([entered.status, entered.body.code]).toEqual([401, 'invalid_login_code']);
    expect(await identity.db.collection('users').findOne({ _id: user.id as never })).toMatchObject({
      email: user.email,
      ...set,
    });
  });

  it('gets no welcome from the operation for codes, which is not the front page', async () => {
    const email = someAddress();
    const reply = await identity.call('POST', '/v1/auth/login-code', { body: { email } });
    expect(await settled(String(reply.body.request_id))).toBe('skipped');
    expect(await welcomes({ email_lower: email })).toBe(0);
  });

  it('takes one budget, whoever has it: that of codes', async () => {
    const { email: known } = await makeUser(identity, partner);
    for (const email of [known, someAddress()]) {
      const address = someNetworkAddress();
      const asked = await Promise.allSettled(Array.from({ length: 7 }, () => ask(email, address)));
      const limited = asked.filter(({ status }) => status === 'rejected');
      expect(limited.map((each) => each.status === 'rejected' && each.reason.code)).toEqual([
        'rate_limited',
        'rate_limited',
      ]);
      const code = identity.call('POST', '/v1/auth/login-code', { body: { email }, address });
      expect((await code).status).toBe(429);
    }
  });

  it('is not filled with welcomes: the limit of mails to one recipient holds for them, too', async () => {
    const email = someAddress();
    const asked = await Promise.all(Array.from({ length: 6 }, () => ask(email)));
    for (const { request_id } of asked) await settled(request_id);
    await waitFor(() => linksTo(email).length === 3, { what: 'three welcomes' });
    expect(await welcomes({ email_lower: email })).toBe(3);
    // Three are the limit of an hour for all mails of identity.
    await identity.call('POST', '/v1/client/users', { as: partner.as, body: { email, name: 'Ana' } });
    expect(await identity.db.collection('email_verifications').countDocuments({ email_lower: email })).toBe(
      0,
    );
  });

  it('gets one welcome where a process died after it was written', async () => {
    const email = someAddress();
    const { request_id } = await ask(email);
    await settled(request_id);
    await challenges().updateOne(
      { _id: request_id as never },
      { $set: { 'delivery.status': 'queued', 'delivery.next_at': new Date() } },
    );
    expect(await settled(request_id)).toBe('skipped');
    expect(await welcomes({ email_lower: email })).toBe(1);
  });
});

describe('the link of a welcome', () => {
  it('changes nothing when it is opened, however often; its button opens the account and a session', async () => {
    const email = someAddress();
    const token = await welcomed(email);
    for (let i = 0; i < 3; i += 1) expect(await look(token)).toEqual({ email, has_account: false });
    expect(await users(email)).toBe(0);
    const tokens = await open(token);
    const row = await identity.db.collection('users').findOne({ email_lower: email });
    expect(row).toMatchObject({ partner_id: null, email, preferred_language: 'pt', status: 'active' });
    expect(row?.email_verified_at).toBeInstanceOf(Date);
    const claims = JSON.parse(
      Buffer.from(tokens.access_token.split('.')[1] ?? '', 'base64url').toString(),
    ) as { sub: string; sid: string };
    const session = { session_id: claims.sid, user_id: Number(row?._id) };
    expect(await gateway.request('identity.session', session)).toMatchObject({ partner_id: null });
    const body = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect((await identity.call('POST', '/v1/auth/token', { body })).status).toBe(200);
  });

  it('works once', async () => {
    const token = await welcomed(someAddress());
    await open(token);
    await expect(open(token)).rejects.toMatchObject(refused);
    expect(await look(token)).toBeNull();
  });

  it('opens one account for two presses, and for two links in two tabs', async () => {
    const email = someAddress();
    const tokens = [await welcomed(email), await welcomed(email)];
    const presses = await Promise.allSettled([...tokens, ...tokens].map((token) => open(token)));
    expect(presses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const reasons = presses.flatMap((press) => (press.status === 'rejected' ? [press.reason.code] : []));
    for (const code of reasons) expect([refused.code, taken.code]).toContain(code);
    expect(await users(email)).toBe(1);
    for (const token of tokens) expect((await look(token))?.has_account ?? 'used').not.toBe(false);
  });

  it('opens no second account where one was made meanwhile, by a partner or by a sign-up', async () => {
    const [ofPartner, ofSignUp] = [someAddress(), someAddress()];
    const tokens = [await welcomed(ofPartner), await welcomed(ofSignUp)];
    await makeUser(identity, partner, { email: ofPartner });
    await identity.call('POST', '/v1/users', {
      body: { email: ofSignUp, name: 'Ana' },
      address: someNetworkAddress(),
    });
    await waitFor(async () => (await users(ofSignUp)) === 1, { what: 'the sign-up' });
    for (const token of tokens) {
      expect(await look(token)).toMatchObject({ has_account: true });
      await expect(open(token)).rejects.toMatchObject(taken);
    }
    expect([await users(ofPartner), await users(ofSignUp)]).toEqual([1, 1]);
    const row = await identity.db.collection('users').findOne({ email_lower: ofSignUp });
    expect(row?.email_verified_at).toBeNull();
  });

  it('opens one account where a sign-up comes at the same moment', async () => {
    for (let i = 0; i < 5; i += 1) {
      const email = someAddress();
      const token = await welcomed(email);
      const body = { email, name: 'Ana' };
      const signUp = async () =>
        (await identity.call('POST', '/v1/users', { body, address: someNetworkAddress() })).status === 202;
      const [pressed] = await Promise.allSettled([open(token), waitFor(signUp, { what: 'the sign-up' })]);
      await waitFor(async () => {
        const left = { email_lower: email, 'delivery.status': 'queued' };
        return (await identity.db.collection('address_requests').countDocuments(left)) === 0;
      });
      expect(await users(email)).toBe(1);
      if (pressed.status === 'rejected') expect(pressed.reason).toMatchObject(taken);
    }
  });

  it('ends after a day', async () => {
    const email = someAddress();
    const token = await welcomed(email);
    const row = await identity.db.collection('welcomes').findOne({ email_lower: email });
    expect(Number(row?.expires_at) - Number(row?.created_at)).toBe(24 * 3_600_000);
    // The row is still there: MongoDB deletes within a minute.
    const set = { expires_at: new Date(Date.now() - 1_000) };
    await identity.db.collection('welcomes').updateOne({ email_lower: email }, { $set: set });
    expect(await look(token)).toBeNull();
    await expect(open(token)).rejects.toMatchObject(refused);
    expect(await users(email)).toBe(0);
  });

  it('is for this purpose alone: other links, codes and tokens open no account, and it opens nothing else', async () => {
    const email = someAddress();
    const token = await welcomed(email);
    const user = await makeUser(identity, partner);
    const verification = await notifier.mailTo(user.email);
    const invited = { email: someAddress(), name: 'A Member', role: 'viewer' };
    await identity.call('POST', '/v1/client/staff', { as: partner.as, body: invited });
    const invitation = await notifier.mailTo(invited.email);
    const ofLink = (mail: object) => tokenOf('link' in mail ? String(mail.link) : '');
    const { code, requestId } = await requestCode(identity, notifier, user.email);
    const others = [ofLink(verification), ofLink(invitation), code, requestId, `${requestId}.${code}`];
    const [id = '', mac = ''] = token.split('.');
    const [otherId = '', otherMac = ''] = ofLink(verification).split('.');
    for (const forged of [
      ...others,
      `${id}.${otherMac}`,
      `${otherId}.${mac}`,
      `${id}.`,
      id,
      `.${mac}`,
      'x',
    ]) {
      expect(await look(forged)).toBeNull();
      await expect(open(forged)).rejects.toMatchObject(refused);
    }
    for (const path of ['verify-email', 'undo-email-change', 'verify-email/new-link']) {
      const reply = await identity.call('POST', `/v1/users/${path}`, { body: { token } });
      expect([reply.status, reply.body.code]).toEqual([400, 'invalid_verification_token']);
    }
    const place = { address: '203.0.113.7', browser: 'Firefox on Linux' };
    await expect(gateway.request('identity.accept_invitation', { token, ...place })).rejects.toMatchObject({
      code: 'invalid_invitation_token',
    });
    await expect(gateway.request('identity.confirm_reply_to', { token })).rejects.toMatchObject(refused);
    const guess = { email, code: '000000', request_id: id };
    const entered = await identity.call('POST', '/v1/auth/token', { body: guess });
    expect(entered.body.code).toBe('invalid_login_code');
    // Nothing of this has used it up.
    await open(token);
    expect(await users(email)).toBe(1);
  });

  it('is erased with the account', async () => {
    const email = someAddress();
    const tokens = [await welcomed(email), await welcomed(email)];
    await open(tokens[0] as string);
    const row = await identity.db.collection('users').findOne({ email_lower: email });
    const as = {
      kind: 'user',
      user_id: Number(row?._id),
      partner_id: null,
      session_id: 'a-session-of-the-test',
      signed_in_at: Math.floor(Date.now() / 1_000),
    } as const;
    const { status } = await identity.call('DELETE', `/v1/users/${as.user_id}`, { as });
    expect(status).toBe(200);
    expect(await welcomes({ email_lower: email })).toBe(0);
    await expect(open(tokens[1] as string)).rejects.toMatchObject(refused);
  });
});
