import { describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../../support/notifier.ts';
import { admin, makeUser, type TestPartner } from '../../support/people.ts';
import { signIn } from '../../support/sign-in.ts';
import type { TestIdentity } from '../../support/start-identity.ts';
import { useIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
useIdentity((started) => {
  ({ identity, notifier, partner } = started);
});

const refresh = (refreshToken: string) => {
  const body = { grant_type: 'refresh_token', refresh_token: refreshToken };
  return identity.call('POST', '/v1/auth/token', { body });
};
const changeSession = (id: string, set: Record<string, unknown>) =>
  identity.db.collection('sessions').updateOne({ _id: id as never }, { $set: set });
const newSession = async () => {
  const user = await makeUser(identity, partner);
  return { user, ...(await signIn(identity, notifier, user)) };
};

describe('refreshing', () => {
  it('gives the next pair; the predecessor gets the same successor for 30 seconds', async () => {
    const { user, refreshToken } = await newSession();
    const first = await refresh(refreshToken);
    expect(first.status).toBe(200);
    expect(first.body.user).toMatchObject({ id: user.id, email_verified_at: expect.any(String) });
    expect(first.body.refresh_token).not.toBe(refreshToken);
    expect((await refresh(refreshToken)).body.refresh_token).toBe(first.body.refresh_token);
  });

  it('rotates once for ten tabs at the same time', async () => {
    const { refreshToken, sessionId } = await newSession();
    const replies = await Promise.all(Array.from({ length: 10 }, () => refresh(refreshToken)));
    expect(new Set(replies.map((reply) => reply.body.refresh_token)).size).toBe(1);
    const session = await identity.db.collection('sessions').findOne({ _id: sessionId as never });
    expect(session?.generation).toBe(2);
  });

  it('ends the session where a token is used again later', async () => {
    const { refreshToken, sessionId } = await newSession();
    const next = String((await refresh(refreshToken)).body.refresh_token);
    await changeSession(sessionId, { rotated_at: new Date(Date.now() - 31_000) });
    const reused = await refresh(refreshToken);
    expect(reused.body).toMatchObject({ status: 401, code: 'refresh_token_reused' });
    expect((await refresh(next)).body).toMatchObject({ status: 401, code: 'invalid_refresh_token' });
  });

  it('ends the session immediately where a token is two generations old', async () => {
    const { refreshToken } = await newSession();
    const second = String((await refresh(refreshToken)).body.refresh_token);
    await refresh(second);
    expect((await refresh(refreshToken)).body.code).toBe('refresh_token_reused');
  });

  it('lasts 14 days idle and 30 days at most', async () => {
    const { refreshToken, sessionId } = await newSession();
    await changeSession(sessionId, { expires_at: new Date(Date.now() + 60_500) });
    const last = await refresh(refreshToken);
    expect(Number(last.body.refresh_expires_in)).toBeLessThanOrEqual(60);
    await changeSession(sessionId, { idle_expires_at: new Date(Date.now() - 1_000) });
    const idle = await refresh(String(last.body.refresh_token));
    expect(idle.body).toMatchObject({ status: 401, code: 'invalid_refresh_token' });
  });

  it('checks the user each time', async () => {
    const { user, refreshToken } = await newSession();
    await identity.db
      .collection('users')
      .updateOne({ _id: user.id as never }, { $set: { status: 'suspended' } });
    expect((await refresh(refreshToken)).body).toMatchObject({ status: 403, code: 'account_suspended' });
  });

  it('is over after a suspension, also once that is lifted', async () => {
    const { user, refreshToken } = await newSession();
    await admin(identity, 'user', 'suspend', '--user', String(user.id));
    await admin(identity, 'user', 'reactivate', '--user', String(user.id));
    expect((await refresh(refreshToken)).body).toMatchObject({ status: 401, code: 'invalid_refresh_token' });
  });

  it('refuses what was not made here', async () => {
    const { refreshToken } = await newSession();
    const [sid, , mac] = refreshToken.split('.');
    for (const forged of [`${sid}.2.${mac}`, 'x', `${sid}.1.`, `${refreshToken}x`]) {
      expect((await refresh(forged)).body).toMatchObject({ status: 401, code: 'invalid_refresh_token' });
    }
  });
});
