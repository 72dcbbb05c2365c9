import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { loginCodeOf } from '../../src/credentials/login-code.ts';
import { createMacs } from '../../src/credentials/macs.ts';
import { admin, makePartner, makeUser, someAddress } from '../support/people.ts';
import { former, next, type Rotation, statusOf, usePepperRotation } from '../support/pepper-rings.ts';
import { requestCode, signIn, someNetworkAddress } from '../support/sign-in.ts';
import type { Reply, TestIdentity } from '../support/start-identity.ts';

let rotation: Rotation;
usePepperRotation((ready) => {
  rotation = ready;
});

const ids = { former: createMacs([former]).id, next: createMacs([next]).id };

const refresh = (identity: TestIdentity, token: unknown) =>
  identity.call('POST', '/v1/auth/token', { body: { grant_type: 'refresh_token', refresh_token: token } });
const tokenOf = (reply: Reply) => {
  expect(reply.status).toBe(200);
  return String(reply.body.refresh_token);
};
const verifyCode = (identity: TestIdentity, body: Record<string, unknown>, address?: string) =>
  identity.call('POST', '/v1/auth/login-code/verify', { body, ...(address && { address }) });
const verifyEmail = (identity: TestIdentity, token: string) =>
  identity.call('POST', '/v1/users/verify-email', { body: { token } });
const undo = (identity: TestIdentity, token: string) =>
  identity.call('POST', '/v1/users/undo-email-change', { body: { token } });
const signingKid = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
const pepperOfKey = async (identity: TestIdentity, id: number) =>
  (await identity.db.collection('api_keys').findOne({ _id: id as never }))?.pepper_id as string | undefined;

async function newKey(identity: TestIdentity, partnerId: number) {
  const { key } = await admin(identity, 'key', 'create', '--partner', String(partnerId));
  return key as { id: number; api_key: string; api_secret: string };
}

describe('the rotation of SECRET_PEPPER', () => {
  it('lets everything that is used go on through all three rolls', async () => {
    const { notifier, restart, authenticate, tokenIn } = rotation;
    let identity = await restart(former);
    const partner = await makePartner(identity, 'Law Firm');
    const unused = await newKey(identity, partner.as.partner_id);
    const user = await makeUser(identity, partner);
    const session = await signIn(identity, notifier, user);
    const unproven = await makeUser(identity, partner);
    const verification = await tokenIn('verify_email', unproven.email);
    const email = someAddress();
    const moved = { as: partner.as, body: { email } };
    expect((await identity.call('PUT', `/v1/client/users/${user.id}`, moved)).status).toBe(200);
    const undoing = await tokenIn('address_changed', user.email);
    const mover = await makeUser(identity, partner);
    const { refreshToken, accessToken } = await signIn(identity, notifier, mover);
    const pending = await requestCode(identity, notifier, unproven.email);
    const guess = { email: unproven.email, code: pending.code, request_id: pending.requestId };
    const creation = {
      as: partner.as,
      body: { email: someAddress(), name: 'Maria Silva' },
      headers: { 'idempotency-key': 'a-creation-of-the-test' },
    };
    const created = await identity.call('POST', '/v1/client/users', creation);
    expect(created.status).toBe(201);

    identity = await restart(`${former} ${next}`);
    expect(await authenticate(partner)).toMatch(/^\d+$/);
    const second = tokenOf(await refresh(identity, refreshToken));
    expect((await verifyCode(identity, guess)).status).toBe(200);
    expect((await statusOf(identity, `${former} ${next}`)).nothing_on_former).toBe(true);

    identity = await restart(`${next} ${former}`);
    const before = await statusOf(identity, `${next} ${former}`);
    expect(before.nothing_on_former).toBe(false);
    expect(before.peppers).toContainEqual(
      expect.objectContaining({ id: ids.next, state: 'current', keys: 0, signing_keys: 2 }),
    );
    const keyId = Number(await authenticate(partner));
    await waitFor(async () => (await pepperOfKey(identity, keyId)) === ids.next);
    const refreshed = await refresh(identity, second);
    const third = tokenOf(refreshed);
    expect(signingKid(String(refreshed.body.access_token))).toBe(signingKid(accessToken));
    expect((await verifyCode(identity, guess)).status).toBe(200);
    expect((await verifyEmail(identity, verification)).status).toBe(200);
    expect((await undo(identity, undoing)).status).toBe(200);
    expect((await identity.call('POST', '/v1/client/users', creation)).text).toBe(created.text);
    // Undoing has ended that one's sessions.
    expect((await refresh(identity, session.refreshToken)).status).toBe(401);
    expect(await statusOf(identity, `${next} ${former}`)).toMatchObject({
      peppers: [
        { id: ids.next, state: 'current', keys: 1, signing_keys: 2, second_factors: 0, sessions: 1 },
        { id: ids.former, state: 'former', keys: 1, signing_keys: 0, second_factors: 0, sessions: 0 },
      ],
      keys_to_carry_over: [{ id: unused.id, partner_id: partner.as.partner_id }],
      nothing_on_former: false,
    });

    identity = await restart(next);
    expect(await authenticate(partner)).toBe(String(keyId));
    await expect(authenticate(unused)).rejects.toMatchObject({ code: 'invalid_api_key' });
    const last = await refresh(identity, third);
    expect(tokenOf(last)).not.toBe(third);
    expect(signingKid(String(last.body.access_token))).toBe(signingKid(accessToken));
  });

  it.each([
    ['first', former, `${former} ${next}`],
    ['second', `${former} ${next}`, `${next} ${former}`],
    ['third', `${next} ${former}`, next],
  ])('lets replicas before and behind the %s roll understand each other', async (_roll, from, to) => {
    const { notifier, start, authenticate, tokenIn } = rotation;
    const before = await start(from);
    const behind = await start(to);
    const partner = await makePartner(before, 'Law Firm');
    for (let i = 0; i < 10; i++) expect(await authenticate(partner)).toMatch(/^\d+$/);
    const user = await makeUser(before, partner);
    let { refreshToken } = await signIn(before, notifier, user);
    for (const [here, there] of [
      [behind, before],
      [before, behind],
    ] as const) {
      const token = tokenOf(await refresh(here, refreshToken));
      // Two tabs: the other one asks elsewhere.
      expect(tokenOf(await refresh(there, refreshToken))).toBe(token);
      refreshToken = token;
    }
    for (const [here, there] of [
      [behind, before],
      [before, behind],
    ] as const) {
      const home = someNetworkAddress();
      const { requestId, code } = await requestCode(here, notifier, user.email, home);
      expect((await verifyCode(there, { email: user.email, code }, home)).status).toBe(200);
      expect((await verifyCode(here, { email: user.email, code, request_id: requestId })).status).toBe(200);
    }
    const unproven = await makeUser(behind, partner);
    const token = await tokenIn('verify_email', unproven.email);
    expect((await verifyEmail(before, token)).status).toBe(200);
    expect((await verifyEmail(behind, token)).status).toBe(200);
  });

  it('keeps one login code right, in a mail that is made again too', async () => {
    const { notifier, restart } = rotation;
    const before = await restart(`${former} ${next}`);
    const partner = await makePartner(before, 'Law Firm');
    const { email } = await makeUser(before, partner);
    const { requestId, code } = await requestCode(before, notifier, email);
    const behind = await restart(`${next} ${former}`);
    const again = { 'delivery.status': 'queued', 'delivery.next_at': new Date() };
    await behind.db.collection('login_challenges').updateOne({ _id: requestId as never }, { $set: again });
    const codes = () =>
      notifier.sent.flatMap((mail) =>
        mail.kind === 'login_code' && mail.message_id === `login-${requestId}` ? [mail.code] : [],
      );
    await waitFor(() => codes().length === 2, { what: 'the mail, made again' });
    expect(codes()).toEqual([code, code]);
    const other = loginCodeOf({ _id: requestId, pepper_id: ids.next }, createMacs([next]));
    expect((await verifyCode(behind, { email, code: other, request_id: requestId })).status).toBe(401);
    expect((await verifyCode(behind, { email, code, request_id: requestId })).status).toBe(200);
  });

  it('carries a key over that many use at the same time, but not one whose secret was wrong', async () => {
    const { restart, start, authenticate } = rotation;
    let identity = await restart(former);
    const partner = await makePartner(identity, 'Law Firm');
    const another = await makePartner(identity, 'Relocation');
    identity = await restart(`${next} ${former}`);
    await start(`${next} ${former}`);
    const wrong = { ...another, api_secret: partner.api_secret };
    await expect(authenticate(wrong)).rejects.toMatchObject({ code: 'invalid_api_key' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => authenticate(partner)));
    const keyId = Number(answers[0]);
    await waitFor(async () => (await pepperOfKey(identity, keyId)) === ids.next);
    expect((await statusOf(identity, `${next} ${former}`)).keys_to_carry_over).toHaveLength(1);
    await restart(next);
    expect(await authenticate(partner)).toBe(String(keyId));
  });

  it('leaves networks known, and erases them with the person', async () => {
    const { notifier, restart } = rotation;
    let identity = await restart(former);
    const partner = await makePartner(identity, 'Law Firm');
    const user = await makeUser(identity, partner);
    const { email } = user;
    const ask = (address: string) =>
      identity.call('POST', '/v1/auth/login-code', { body: { email }, address });
    const home = someNetworkAddress();
    const { code, requestId } = await requestCode(identity, notifier, email, home);
    const body = { email, code, request_id: requestId };
    expect((await identity.call('POST', '/v1/auth/token', { body, address: home })).status).toBe(200);

    identity = await restart(`${next} ${former}`);
    for (let i = 0; i < 15; i++) expect((await ask(someNetworkAddress())).status).toBe(200);
    expect((await ask(someNetworkAddress())).status).toBe(429);
    expect((await ask(home)).status).toBe(200);
    const deleted = await identity.call('DELETE', `/v1/client/users/${user.id}`, { as: partner.as });
    expect(deleted.status).toBeLessThan(300);
    expect(await identity.db.collection('sign_in_places').countDocuments()).toBe(0);
  });
});
