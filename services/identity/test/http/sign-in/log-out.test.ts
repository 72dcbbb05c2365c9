import type { Bus } from '@casewatch/platform';
import { connectAs } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../../support/notifier.ts';
import { makeUser, type TestPartner } from '../../support/people.ts';
import { asSession, endOf, revocationsOf } from '../../support/session-of.ts';
import { type SignedIn, signIn } from '../../support/sign-in.ts';
import type { TestIdentity } from '../../support/start-identity.ts';
import { useIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
let gateway: Bus;
useIdentity((started) => {
  ({ identity, notifier, partner } = started);
});
beforeAll(async () => {
  gateway = await connectAs(identity.nats, 'gateway');
});
afterAll(() => gateway.stop());

async function person() {
  const user = await makeUser(identity, partner);
  const here = await signIn(identity, notifier, user);
  const elsewhere = await signIn(identity, notifier, user);
  const logOut = (body?: unknown) =>
    identity.call('POST', '/v1/auth/logout', {
      as: asSession(user, here, partner.as.partner_id),
      ...(body !== undefined && { body }),
    });
  const ask = ({ sessionId }: SignedIn) =>
    gateway.request('identity.session', { session_id: sessionId, user_id: user.id });
  return { user, here, elsewhere, logOut, ask };
}

const refresh = ({ refreshToken }: SignedIn) =>
  identity.call('POST', '/v1/auth/token', {
    body: { grant_type: 'refresh_token', refresh_token: refreshToken },
  });
const revoked = { code: 'token_revoked' };

describe('logging out', () => {
  it('ends the session of the token, needs no body, and leaves the others', async () => {
    const { here, elsewhere, logOut, ask } = await person();
    const reply = await logOut();
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ success: true, message: expect.any(String) });
    await expect(ask(here)).rejects.toMatchObject(revoked);
    expect((await refresh(here)).body).toMatchObject({ status: 401, code: 'invalid_refresh_token' });
    expect(await endOf(identity, elsewhere)).toBeNull();
    expect((await refresh(elsewhere)).status).toBe(200);
    expect(await revocationsOf(identity)).toContain(`session:${here.sessionId}`);
  });

  it('ends all sessions where that is asked for', async () => {
    const { user, here, elsewhere, logOut, ask } = await person();
    expect((await logOut({ all_sessions: true })).status).toBe(200);
    for (const session of [here, elsewhere]) {
      await expect(ask(session)).rejects.toMatchObject(revoked);
      expect((await refresh(session)).status).toBe(401);
    }
    expect(await revocationsOf(identity)).toContain(`user:${user.id}`);
  });

  it('ends a session once, even if it comes ten times at the same time', async () => {
    const { here, logOut } = await person();
    const replies = await Promise.all(Array.from({ length: 10 }, () => logOut({ all_sessions: false })));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    const end = await endOf(identity, here);
    await logOut();
    expect(await endOf(identity, here)).toEqual(end);
  });

  it('is 400 for anything else in the body, and needs a person', async () => {
    const { logOut } = await person();
    expect((await logOut({ all_sessions: 'yes', user_id: 1 })).status).toBe(400);
    expect((await identity.call('POST', '/v1/auth/logout')).body.code).toBe('missing_credentials');
    const byPartner = await identity.call('POST', '/v1/auth/logout', { as: partner.as });
    expect(byPartner.body.code).toBe('partner_keys_not_accepted');
  });
});
