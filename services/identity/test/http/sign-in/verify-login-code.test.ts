import { describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../../support/notifier.ts';
import { makeUser, someAddress, type TestPartner } from '../../support/people.ts';
import { requestCode, someNetworkAddress, wrongCode } from '../../support/sign-in.ts';
import type { TestIdentity } from '../../support/start-identity.ts';
import { useIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
let other: TestPartner;
useIdentity((started) => {
  ({ identity, notifier, partner, other } = started);
});

const verify = (body: unknown, address = someNetworkAddress()) =>
  identity.call('POST', '/v1/auth/login-code/verify', { body, address });
const token = (body: unknown) => identity.call('POST', '/v1/auth/token', { body });
const triesOf = async (id: string) =>
  (await identity.db.collection('login_challenges').findOne({ _id: id as never }))?.tries;

describe('verifying a login code', () => {
  it('says that it is right and for how long, and leaves it to be used', async () => {
    const { email } = await makeUser(identity, partner);
    const { code, requestId } = await requestCode(identity, notifier, email);
    const body = { email, code: `${code.slice(0, 3)} ${code.slice(3)}`, request_id: requestId };
    const reply = await verify(body);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      success: true,
      message: expect.any(String),
      valid: true,
      expires_in: expect.any(Number),
    });
    expect(Number(reply.body.expires_in)).toBeGreaterThan(500);
    expect(Number(reply.body.expires_in)).toBeLessThanOrEqual(600);
    expect((await token(body)).status).toBe(200);
    expect((await verify(body)).body).toMatchObject({ status: 401, code: 'invalid_login_code' });
  });

  it('counts as a try, together with those for a token: five, then 429 with the time of the end', async () => {
    const { email } = await makeUser(identity, partner);
    const { code, requestId } = await requestCode(identity, notifier, email);
    const right = { email, code, request_id: requestId };
    const wrong = { ...right, code: wrongCode(code) };
    expect((await verify(right)).status).toBe(200);
    for (const send of [verify, token, verify]) expect((await send(wrong)).status).toBe(401);
    expect((await token(wrong)).status).toBe(401);
    const late = await verify(right);
    expect(late.body).toMatchObject({ status: 429, code: 'too_many_login_attempts' });
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await token(right)).status).toBe(429);
    expect(await triesOf(requestId)).toBe(5);
  });

  it('compares without a request only what the caller’s own network asked for', async () => {
    const { email } = await makeUser(identity, partner);
    const mine = someNetworkAddress();
    const { code, requestId } = await requestCode(identity, notifier, email, mine);
    for (let i = 0; i < 10; i++) {
      const stranger = await verify({ email, code: wrongCode(code) });
      expect(stranger.body).toMatchObject({ status: 401, code: 'invalid_login_code' });
    }
    expect((await verify({ email, code })).status).toBe(401);
    expect(await triesOf(requestId)).toBe(0);
    expect((await verify({ email, code }, mine)).status).toBe(200);
    expect(await triesOf(requestId)).toBe(1);
  });

  it('takes a whole IPv6 network for one caller', async () => {
    const { email } = await makeUser(identity, partner);
    const { code } = await requestCode(identity, notifier, email, '2001:db8:1:2::a');
    expect((await verify({ email, code }, '2001:db8:1:3::a')).status).toBe(401);
    expect((await verify({ email, code }, '2001:db8:1:2:ffff::b')).status).toBe(200);
  });

  it('never compares a code more than five times, however many guesses come at the same time', async () => {
    const { email } = await makeUser(identity, partner);
    const { code, requestId } = await requestCode(identity, notifier, email);
    const guesses = Array.from({ length: 100 }, () =>
      verify({ email, code: wrongCode(code), request_id: requestId }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(95);
    expect(await triesOf(requestId)).toBe(5);
  });

  it('answers an unknown address as a known one, and does not ask whom where several have it', async () => {
    const email = someAddress();
    const code = '123456';
    const unknown = await verify({ email, code });
    await makeUser(identity, partner, { email });
    await makeUser(identity, other, { email });
    const known = await verify({ email, code });
    const { request_id: _one, instance: _two, ...rest } = unknown.body;
    expect(known.body).toMatchObject(rest);
    const sent = await requestCode(identity, notifier, email);
    expect((await verify({ email, code: sent.code, request_id: sent.requestId })).status).toBe(200);
  });

  it('is 400 for what is no code', async () => {
    const reply = await verify({ email: someAddress(), code: '12345', extra: 1 });
    const pointers = (reply.body.errors as { pointer: string }[]).map(({ pointer }) => pointer);
    expect([reply.status, ...pointers.sort()]).toEqual([400, '#/code', '#/extra']);
  });
});
