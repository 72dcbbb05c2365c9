import type { Bus } from '@casewatch/platform';
import { connectAs } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestNotifier, type TestNotifier } from '../support/notifier.ts';
import { admin, makePartner, makeUser, type TestPartner } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';
import { startTestIdentity, type TestIdentity } from '../support/start-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let gateway: Bus;
let partner: TestPartner;

beforeAll(async () => {
  identity = await startTestIdentity();
  notifier = await startTestNotifier(identity.nats);
  gateway = await connectAs(identity.nats, 'gateway');
  partner = await makePartner(identity, 'Law Firm');
});
afterAll(async () => {
  await Promise.all([notifier, gateway].map((one) => one.stop()));
  await identity.stop();
});

async function signedIn() {
  const user = await makeUser(identity, partner);
  const { sessionId } = await signIn(identity, notifier, user);
  const ask = () => gateway.request('identity.session', { session_id: sessionId, user_id: user.id });
  return { user, sessionId, ask };
}

describe('asking whether a session holds', () => {
  it('says whose it is and since when', async () => {
    const { user, ask } = await signedIn();
    const { signed_in_at, good_until, ...rest } = await ask();
    expect(Date.parse(good_until)).toBeGreaterThan(Date.now());
    expect(rest).toEqual({ user_id: user.id, partner_id: partner.as.partner_id });
    expect(Math.abs(signed_in_at - Date.now() / 1000)).toBeLessThan(30);
  });

  it('is 401 after its end, for another user and for none', async () => {
    const { user, sessionId, ask } = await signedIn();
    const revoked = { code: 'token_revoked' };
    const stranger = { session_id: sessionId, user_id: user.id + 1 };
    await expect(gateway.request('identity.session', stranger)).rejects.toMatchObject(revoked);
    await identity.db
      .collection('sessions')
      .updateOne({ _id: sessionId as never }, { $set: { ended_at: new Date() } });
    await expect(ask()).rejects.toMatchObject(revoked);
    await expect(
      gateway.request('identity.session', { session_id: 'none', user_id: user.id }),
    ).rejects.toMatchObject(revoked);
  });

  it('is 403 for a suspended user, and 401 once that is lifted: the session has ended', async () => {
    const { user, ask } = await signedIn();
    await admin(identity, 'user', 'suspend', '--user', String(user.id));
    await expect(ask()).rejects.toMatchObject({ code: 'account_suspended' });
    await admin(identity, 'user', 'reactivate', '--user', String(user.id));
    await expect(ask()).rejects.toMatchObject({ code: 'token_revoked' });
  });
});
