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
let cases: Bus;
let webhooks: Bus;
let mails: Bus;
let partner: TestPartner;

beforeAll(async () => {
  identity = await startTestIdentity();
  notifier = await startTestNotifier(identity.nats);
  gateway = await connectAs(identity.nats, 'gateway');
  cases = await connectAs(identity.nats, 'cases');
  webhooks = await connectAs(identity.nats, 'webhooks');
  mails = await connectAs(identity.nats, 'notifier');
  partner = await makePartner(identity, 'Law Firm');
});
afterAll(async () => {
  await Promise.all([notifier, gateway, cases, webhooks, mails].map((one) => one.stop()));
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

describe('asking for a user or a partner', () => {
  it('tells siblings what they need to reach a person now', async () => {
    const user = await makeUser(identity, partner, { phone: '+12025550123', notify_by_whatsapp: true });
    const reply = await cases.request('identity.user', { user_id: user.id });
    expect(reply).toEqual({
      ...user,
      partner_id: partner.as.partner_id,
      partner_name: 'Law Firm',
      partner_logo_url: null,
      whatsapp_consent_at: user.created_at,
      version: 1,
    });
    await expect(cases.request('identity.user', { user_id: 999_999 })).rejects.toMatchObject({
      code: 'user_not_found',
    });
  });

  it('tells of several users in one reply, in the order of the question, null for one that is not there', async () => {
    const users = [await makeUser(identity, partner), await makeUser(identity, partner)];
    const [first = 0, second = 0] = users.map(({ id }) => id);
    const { more } = await cases.request('identity.user', {
      user_id: first,
      more_ids: [999_999, second, first],
    });
    const single = await cases.request('identity.user', { user_id: first });
    expect(more).toEqual([null, expect.objectContaining({ id: second }), single]);
  });

  it('tells webhooks of a partner’s own users alone', async () => {
    const [user, other] = [await makeUser(identity, partner), await makePartner(identity, 'Other Firm')];
    const ask = (partnerId: number) =>
      webhooks.request('identity.partner_user', { user_id: user.id, partner_id: partnerId });
    await expect(ask(partner.as.partner_id)).resolves.toMatchObject({ id: user.id, email: user.email });
    await expect(ask(other.as.partner_id)).rejects.toMatchObject({ code: 'user_not_found' });
    const everybody = webhooks.connection.request('identity.user', JSON.stringify({ user_id: user.id }));
    await expect(everybody).rejects.toThrow(/permissions violation/i);
  });

  it('tells webhooks of several users at once, in the order of the questions, of each partner’s own alone', async () => {
    const [user, other] = [await makeUser(identity, partner), await makePartner(identity, 'Other Firm')];
    const theirs = await makeUser(identity, other);
    const [mine, foreign] = [partner.as.partner_id, other.as.partner_id];
    const { users } = await webhooks.request('identity.partner_users', {
      users: [
        { user_id: theirs.id, partner_id: foreign },
        { user_id: user.id, partner_id: foreign },
        { user_id: 999_999, partner_id: mine },
        { user_id: user.id, partner_id: mine },
      ],
    });
    const single = await webhooks.request('identity.partner_user', { user_id: user.id, partner_id: mine });
    expect(users).toEqual([expect.objectContaining({ email: theirs.email }), null, null, single]);
    const batch = JSON.stringify({ users: [{ user_id: user.id, partner_id: mine }] });
    await expect(cases.connection.request('identity.partner_users', batch)).rejects.toThrow(
      /permissions violation/i,
    );
  });

  it('tells webhooks of languages alone where it needs no more', async () => {
    const user = await makeUser(identity, partner, { preferred_language: 'pt' });
    const other = await makePartner(identity, 'Other Firm');
    const [mine, foreign] = [partner.as.partner_id, other.as.partner_id];
    const reply = await webhooks.request('identity.partner_users', {
      users: [
        { user_id: user.id, partner_id: foreign },
        { user_id: 999_999, partner_id: mine },
        { user_id: user.id, partner_id: mine },
      ],
      languages_only: true,
    });
    expect(reply).toEqual({ users: [], languages: [null, null, 'pt'] });
  });

  it('tells the languages of a page of users, of the partner’s own alone', async () => {
    const mine = await makeUser(identity, partner, { preferred_language: 'pt' });
    const other = await makeUser(identity, await makePartner(identity, 'Other Firm'));
    const ask = (partnerId: number) =>
      cases.request('identity.users', { partner_id: partnerId, user_ids: [mine.id, other.id, 999_999] });
    await expect(ask(partner.as.partner_id)).resolves.toEqual({
      users: [{ id: mine.id, preferred_language: 'pt' }],
    });
    await expect(ask(partner.as.partner_id + 1_000)).resolves.toEqual({ users: [] });
    const page = { partner_id: partner.as.partner_id, user_ids: [mine.id, other.id] };
    const stranger = { ...page, partner_id: partner.as.partner_id + 1_000 };
    await expect(cases.request('identity.users', { ...stranger, more: [page] })).resolves.toEqual({
      users: [],
      more: [[{ id: mine.id, preferred_language: 'pt' }]],
    });
    const data = JSON.stringify({ partner_id: partner.as.partner_id, user_ids: [mine.id] });
    await expect(webhooks.connection.request('identity.users', data)).rejects.toThrow(
      /permissions violation/i,
    );
  });

  it('tells of a partner what mails need', async () => {
    const reply = await mails.request('identity.partner', { partner_id: partner.as.partner_id });
    expect(reply).toEqual({
      id: partner.as.partner_id,
      name: 'Law Firm',
      email: 'office@example.com',
      status: 'active',
      logo_url: null,
      notify_unverified: false,
      case_url: null,
      reply_to: null,
      support_contact: null,
      version: 1,
    });
  });
});
