import { createPublicKey } from 'node:crypto';
import { connectAs, waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import jwt from 'jsonwebtoken';
import type { TestNotifier } from '../../support/notifier.ts';
import { admin, makeUser, someAddress, type TestPartner, type WireUser } from '../../support/people.ts';
import { requestCode, someNetworkAddress, wrongCode } from '../../support/sign-in.ts';
import { publicUrl, type TestIdentity } from '../../support/start-identity.ts';
import { useIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
let other: TestPartner;
useIdentity((started) => {
  ({ identity, notifier, partner, other } = started);
});

const token = (body: unknown, address?: string) =>
  identity.call('POST', '/v1/auth/token', { body, ...(address !== undefined && { address }) });
const challenge = (id: string) => identity.db.collection('login_challenges').findOne({ _id: id as never });

describe('a login code for a token', () => {
  it('answers a pair of tokens and the user, whose address is proven by it', async () => {
    const user = await makeUser(identity, partner);
    const { code, requestId } = await requestCode(identity, notifier, user.email);
    const reply = await token({ email: user.email.toUpperCase(), code, request_id: requestId });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      success: true,
      message: expect.any(String),
      token_type: 'Bearer',
      access_token: expect.any(String),
      expires_in: 900,
      refresh_token: expect.any(String),
      refresh_expires_in: expect.any(Number),
      user: { ...user, email_verified_at: expect.any(String), updated_at: expect.any(String) },
    });
    const fortnight = 14 * 24 * 3600;
    expect(Math.abs(Number(reply.body.refresh_expires_in) - fortnight)).toBeLessThan(60);
    const events = await identity.db.collection('outbox').find({ type: 'user.email_verified' }).toArray();
    expect(events.map((event) => JSON.parse(String(event.body)).data.user_id)).toContain(user.id);
  });

  it('signs with the first key, and every claim is there', async () => {
    const user = await makeUser(identity, partner);
    const { code, requestId } = await requestCode(identity, notifier, user.email);
    const reply = await token({ email: user.email, code, request_id: requestId });
    const gateway = await connectAs(identity.nats, 'gateway');
    const jwks = await gateway.request('identity.jwks', {});
    await gateway.stop();
    expect(jwks.keys.map((key) => key.kid).sort()).toEqual(['first', 'next']);
    expect(JSON.stringify(jwks)).not.toContain('"d"');
    const key = createPublicKey({ key: { ...jwks.keys.find(({ kid }) => kid === 'first') }, format: 'jwk' });
    const options = {
      algorithms: ['ES256' as const],
      issuer: publicUrl,
      audience: 'casewatch',
      complete: true as const,
    };
    const { header, payload } = jwt.verify(String(reply.body.access_token), key, options);
    expect(header).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: 'first' });
    const { iat = 0, auth_time } = payload as jwt.JwtPayload;
    expect(payload).toEqual({
      iss: publicUrl,
      aud: 'casewatch',
      sub: String(user.id),
      sid: expect.any(String),
      pid: partner.as.partner_id,
      auth_time: expect.any(Number),
      iat,
      exp: iat + 900,
    });
    // Seconds may pass between the sign-in and the token.
    expect(auth_time).toBeLessThanOrEqual(iat);
    expect(auth_time).toBeGreaterThan(iat - 60);
  });

  it('works once, even if it comes twenty times at the same time', async () => {
    const user = await makeUser(identity, partner);
    const { code, requestId } = await requestCode(identity, notifier, user.email);
    const body = { email: user.email, code, request_id: requestId };
    const replies = await Promise.all(Array.from({ length: 20 }, () => token(body)));
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    expect(await identity.db.collection('sessions').countDocuments({ user_id: user.id })).toBe(1);
    expect((await token(body)).body).toMatchObject({ status: 401, code: 'invalid_login_code' });
  });

  it('compares at most five of fifty concurrent wrong guesses, and then not even the right one', async () => {
    const user = await makeUser(identity, partner);
    const { code, requestId } = await requestCode(identity, notifier, user.email);
    const body = { email: user.email, request_id: requestId };
    const wrong = { ...body, code: wrongCode(code) };
    const replies = await Promise.all(Array.from({ length: 50 }, () => token(wrong)));
    expect(replies.filter((reply) => reply.status === 401)).toHaveLength(5);
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(45);
    expect((await challenge(requestId))?.tries).toBe(5);
    const right = await token({ ...body, code });
    expect(right.body).toMatchObject({ status: 429, code: 'too_many_login_attempts' });
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('takes any live code of the caller’s own network address where no request is named', async () => {
    const user = await makeUser(identity, partner);
    const address = someNetworkAddress();
    const first = await requestCode(identity, notifier, user.email, address);
    await requestCode(identity, notifier, user.email, address);
    const body = { email: user.email, code: first.code };
    expect((await token(body, someNetworkAddress())).body).toMatchObject({ code: 'invalid_login_code' });
    expect((await challenge(first.requestId))?.tries).toBe(0);
    expect((await token(body, address)).status).toBe(200);
  });

  it('is bound to its request, its address and its ten minutes', async () => {
    const user = await makeUser(identity, partner);
    const one = await requestCode(identity, notifier, user.email);
    const two = await requestCode(identity, notifier, user.email);
    const refused = { status: 401, code: 'invalid_login_code' };
    const mixed = { email: user.email, code: one.code, request_id: two.requestId };
    expect((await token(mixed)).body).toMatchObject(refused);
    const somebodyElse = { email: someAddress(), code: one.code, request_id: one.requestId };
    expect((await token(somebodyElse)).body).toMatchObject(refused);
    await identity.db
      .collection('login_challenges')
      .updateOne({ _id: one.requestId as never }, { $set: { expires_at: new Date(Date.now() - 1_000) } });
    const late = { email: user.email, code: one.code, request_id: one.requestId };
    expect((await token(late)).body).toMatchObject(refused);
  });

  it('asks whom where several have the address, and does not use the code up', async () => {
    const email = someAddress();
    const [here, there] = [
      await makeUser(identity, partner, { email }),
      await makeUser(identity, other, { email }),
    ];
    const { code, requestId } = await requestCode(identity, notifier, email);
    const body = { email, code, request_id: requestId };
    const which = await token(body);
    expect(which.body).toMatchObject({
      status: 409,
      code: 'user_selection_required',
      users: [
        { id: here.id, name: 'Maria Silva', partner_name: 'Law Firm' },
        { id: there.id, name: 'Maria Silva', partner_name: 'Relocation' },
      ],
    });
    expect((await token({ ...body, user_id: 999_999 })).body).toMatchObject({ status: 400 });
    const reply = await token({ ...body, user_id: there.id });
    expect((reply.body.user as WireUser).id).toBe(there.id);
    const verified = await identity.db.collection('users').findOne({ _id: here.id as never });
    expect(verified?.email_verified_at).toBeNull();
  });

  it('is 403 for a suspended user', async () => {
    const user = await makeUser(identity, partner);
    const { code, requestId } = await requestCode(identity, notifier, user.email);
    await admin(identity, 'user', 'suspend', '--user', String(user.id));
    const reply = await token({ email: user.email, code, request_id: requestId });
    expect(reply.body).toMatchObject({ status: 403, code: 'account_suspended' });
  });

  it('says which fields are missing, and which belong to the other grant', async () => {
    const pointers = async (body: unknown) =>
      ((await token(body)).body.errors as { pointer: string }[]).map((fault) => fault.pointer);
    expect(await pointers({})).toEqual(['#/email', '#/code']);
    expect(await pointers({ grant_type: 'refresh_token' })).toEqual(['#/refresh_token']);
    expect(await pointers({ grant_type: 'refresh_token', refresh_token: 'x', code: '123456' })).toEqual([
      '#/code',
    ]);
  });
});

describe('requesting a code', () => {
  it('answers the same for an unknown address, and sends nothing to it', async () => {
    const user = await makeUser(identity, partner);
    const ask = async (email: string) =>
      (await identity.call('POST', '/v1/auth/login-code', { body: { email }, address: someNetworkAddress() }))
        .body;
    const [known, unknown] = [await ask(user.email), await ask(someAddress())];
    const { request_id: _one, ...knownRest } = known;
    const { request_id: _two, ...unknownRest } = unknown;
    expect(knownRest).toEqual({
      success: true,
      message: expect.any(String),
      expires_in: 600,
      resend_after: 60,
    });
    expect(unknownRest).toEqual(knownRest);
    await notifier.mailTo(user.email);
    const { code, requestId } = await requestCode(identity, notifier, user.email);
    await waitFor(async () => (await challenge(String(unknown.request_id)))?.delivery.status === 'skipped', {
      what: 'the end of the request for an unknown address',
    });
    expect(notifier.sent.some((mail) => mail.message_id === `login-${String(unknown.request_id)}`)).toBe(
      false,
    );
    expect(JSON.stringify(await challenge(requestId))).not.toContain(code);
  });

  it('speaks the language that was asked for, else the user’s', async () => {
    const user = await makeUser(identity, partner, { preferred_language: 'pt' });
    await requestCode(identity, notifier, user.email);
    expect(notifier.sent.at(-1)).toMatchObject({ kind: 'login_code', language: 'pt' });
    await identity.call('POST', '/v1/auth/login-code', {
      body: { email: user.email, preferred_language: 'es' },
    });
    await requestCode(identity, notifier, user.email);
    expect(notifier.sent.some((mail) => mail.to === user.email && mail.language === 'es')).toBe(true);
  });

  it('is limited to five an hour per address and network address, and twenty per network address', async () => {
    const ask = (email: string, address: string) =>
      identity.call('POST', '/v1/auth/login-code', { body: { email }, address });
    const email = someAddress();
    const address = someNetworkAddress();
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask(email, address)));
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(5);
    expect(replies.find((reply) => reply.status === 429)?.body.code).toBe('rate_limited');
    expect((await ask(email, someNetworkAddress())).status).toBe(200);
    const more = await Promise.all(Array.from({ length: 20 }, () => ask(someAddress(), address)));
    expect(more.filter((reply) => reply.status === 200)).toHaveLength(15);
  });
});
