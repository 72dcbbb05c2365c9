import { randomInt } from 'node:crypto';
import {
  type Ask,
  bearer,
  createPartner,
  inMail,
  loginCode,
  mailsTo,
  refreshTokens,
  send,
  signIn as signInAt,
  type Tokens,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { codesSent, createPersonBrowser } from '../support/person-browser.ts';
import { type System, sharedSystem } from '../support/system.ts';

type User = { id: number; email: string; name: string; phone: string | null };
type Person = Tokens & { user: User };

const undoLink = /\/v1\/users\/undo-email-change\?token=(\S+)/;
const verifyLink = /\/v1\/users\/verify-email\?token=(\S+)/;
const welcomeLink = /\/welcome(\?token=[^\s>)]+)/;
const phoneOfA = '+12025550188';

let system: System;
beforeAll(async () => {
  system = await sharedSystem();
});

const call = (method: string, ask: Ask) => send(system.dev(), method, ask);
const post = (path: string, body: unknown) => call('POST', { path, body });
const signIn = (email: string) => signInAt<User>(system.dev(), email);
const someAddress = (who: string) => `${who}.${randomInt(1, 1e9)}@hands.example`;

async function signUp(email: string): Promise<Person> {
  expect((await post('/v1/users', { email, name: 'Typed By Anybody' })).status).toBe(202);
  await inMail(system.dev(), email, /(\S)/);
  return await signIn(email);
}

describe('an address that a stranger claims for an account of their own', () => {
  let a: Person;
  let addressOfA: string;
  let addressOfV: string;
  let linkOfV: { token: string };
  beforeEach(async () => {
    addressOfA = someAddress('mallory');
    addressOfV = someAddress('victim');
    a = await signUp(addressOfA);
    const body = { email: addressOfV, name: 'Chosen By A', phone: phoneOfA, notify_by_whatsapp: true };
    const moved = await call('PUT', { as: bearer(a.access_token), path: `/v1/users/${a.user.id}`, body });
    expect(moved).toMatchObject({ status: 200, body: { user: { email: addressOfA } } });
    // Before V signs up: V's own mail has a link too.
    linkOfV = { token: await inMail(system.dev(), addressOfV, verifyLink) };
  });

  const read = (person: Person, id = person.user.id) =>
    call('GET', { as: bearer(person.access_token), path: `/v1/users/${id}` });
  const undoOfA = async () => ({ token: await inMail(system.dev(), addressOfA, undoLink) });

  it('is the owner’s, who proves it by a code', async () => {
    const v = await signUp(addressOfV);
    expect(v.user).toMatchObject({ email: addressOfV, name: addressOfV.split('@')[0], phone: null });
    expect(v.user.id).not.toBe(a.user.id);
    expect((await read(a, v.user.id)).status).toBe(404);
    await post('/v1/users/undo-email-change', await undoOfA());
    expect((await read(v)).body).toMatchObject({ user: { email: addressOfV } });
    expect((await post('/v1/users/verify-email', linkOfV)).status).toBe(400);
    expect((await signIn(addressOfV)).user.id).toBe(v.user.id);
  });

  it('is the owner’s, who proves it by the link that A had sent to it', async () => {
    const undo = await undoOfA();
    expect((await read(a)).body).toMatchObject({ user: { email: addressOfA } });
    expect((await post('/v1/users/verify-email', linkOfV)).status).toBe(200);

    await waitFor(async () => (await read(a)).status === 401, { what: 'the end of the session of A' });
    expect(await refreshTokens(system.dev(), a)).toMatchObject({
      status: 401,
      body: { code: 'invalid_refresh_token' },
    });
    expect((await post('/v1/users/undo-email-change', undo)).status).toBe(400);
    const v = await signIn(addressOfV);
    expect(v.user).toMatchObject({
      email: addressOfV,
      name: addressOfV.split('@')[0],
      phone: null,
      notify_by_whatsapp: false,
    });
    const code = await post('/v1/auth/token', { email: addressOfA, code: '000000' });
    expect(code.status).toBe(401);
  });

  it('is the owner’s, who types it on the front page: a welcome opens an account of their own', async () => {
    const browser = createPersonBrowser(system.dev());
    expect((await browser.post('/sign-in', { email: addressOfV })).status).toBe(303);
    const query = await inMail(system.dev(), addressOfV, welcomeLink);
    expect(await codesSent(system.dev(), addressOfV)).toBe(0);
    const token = new URLSearchParams(query).get('token') ?? '';
    const opened = await browser.post('/welcome', { token });
    expect([opened.status, browser.cookies.has('person')]).toEqual([303, true]);

    const v = await signIn(addressOfV);
    expect(v.user.id).not.toBe(a.user.id);
    expect((await read(a)).body).toMatchObject({ user: { email: addressOfA } });
    expect((await post('/v1/users/verify-email', linkOfV)).status).toBe(400);
  });

  it('is not in the owner’s selection, where a partner has the owner as a client', async () => {
    const partner = createPartner(system.dev(), system.dev().partner);
    const { id } = await partner.newUser({ email: addressOfV, name: 'Client V' });
    expect((await signIn(addressOfV)).user.id).toBe(id);
    await signUpBeside();
    const choice = await post('/v1/auth/token', await loginCode(system.dev(), addressOfV));
    expect([choice.status, choice.body.code]).toEqual([409, 'user_selection_required']);
    const names = (choice.body.users as User[]).map(({ name }) => name);
    expect(names).toEqual(['Client V', addressOfV.split('@')[0]]);
    expect((choice.body.users as User[]).map((user) => user.id)).not.toContain(a.user.id);
  });

  async function signUpBeside(): Promise<void> {
    await post('/v1/users', { email: addressOfV, name: 'Typed By Anybody' });
    // The partner's creation sent one like it before.
    await waitFor(
      async () => {
        const mails = await mailsTo(system.dev(), addressOfV);
        return mails.filter(({ subject }) => subject === 'Please confirm your e-mail address').length === 2;
      },
      { what: 'the mail of the sign-up' },
    );
  }
});

describe('a change that the holder of the account did not ask for', () => {
  it('is stopped by the present address before the new one is proven, which ends all sessions', async () => {
    const [address, thief] = [someAddress('owner'), someAddress('thief')];
    const owner = await signUp(address);
    const path = `/v1/users/${owner.user.id}`;
    const as = bearer(owner.access_token);
    expect((await call('PUT', { as, path, body: { email: thief } })).status).toBe(200);
    const link = { token: await inMail(system.dev(), thief, verifyLink) };
    const stop = { token: await inMail(system.dev(), address, undoLink) };
    expect((await post('/v1/users/undo-email-change', stop)).status).toBe(200);
    await waitFor(async () => (await call('GET', { as, path })).status === 401);
    expect((await post('/v1/users/verify-email', link)).status).toBe(400);
    expect((await signIn(address)).user).toMatchObject({ id: owner.user.id, email: address });
  });
});
