import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../../support/notifier.ts';
import { asUser, makeUser, someAddress, type TestPartner, userOf } from '../../support/people.ts';
import { signIn } from '../../support/sign-in.ts';
import type { TestIdentity } from '../../support/start-identity.ts';
import { useIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
let other: TestPartner;
useIdentity((started) => {
  ({ identity, notifier, partner, other } = started);
});

type As = NonNullable<Parameters<TestIdentity['call']>[2]>['as'];
const resend = (email: string, as?: As) =>
  identity.call('POST', '/v1/users/resend-verification', { ...(as && { as }), body: { email } });
const mailsTo = (to: string) => notifier.sent.filter((mail) => mail.to === to);
const requests = () => identity.db.collection('address_requests');

describe('resending the verification mail to somebody unknown', () => {
  it('answers the same whoever has the address, and sends one mail to each unverified user of it', async () => {
    // Without the mails of the creation, which count towards the limit of the recipient.
    const mine = await makeUser(identity, partner, { send_verification: false });
    await makeUser(identity, other, { email: mine.email, send_verification: false });
    const verified = await makeUser(identity, partner);
    await signIn(identity, notifier, verified);
    const before = mailsTo(verified.email).length;
    const replies = [await resend(mine.email), await resend(verified.email), await resend(someAddress())];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(replies[0]?.body).toEqual({
      success: true,
      message: expect.any(String),
      verification_required: true,
      verification_delivery: null,
      user: null,
    });
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    await waitFor(() => mailsTo(mine.email).length === 2, { what: 'a mail to each user' });
    await waitFor(async () => (await requests().countDocuments()) === 0, { what: 'all settled' });
    expect(mailsTo(verified.email)).toHaveLength(before);
    const names = mailsTo(mine.email).map((mail) => ('user_id' in mail ? mail.user_id : 0));
    expect(new Set(names).size).toBe(2);
  });

  it('is limited silently, and uses up nobody else’s limit', async () => {
    const user = await makeUser(identity, partner);
    const replies = [];
    for (let i = 0; i < 3; i++) replies.push(await resend(user.email));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    await waitFor(async () => (await requests().countDocuments()) === 0, { what: 'all settled' });
    const rows = identity.db.collection('email_verifications');
    expect(await rows.countDocuments({ user_id: user.id })).toBe(2);
    expect((await resend(user.email, partner.as)).status).toBe(200);
  });

  it('is 400 for what is no address', async () => {
    expect((await resend('nobody')).body).toMatchObject({ status: 400, errors: [{ pointer: '#/email' }] });
  });
});

describe('resending the verification mail to a known caller', () => {
  it('answers a person with their user, for their own address only, and limits them', async () => {
    const user = await makeUser(identity, partner);
    const me = asUser(user, partner);
    const reply = await resend(user.email.toUpperCase(), me);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      verification_required: true,
      verification_delivery: { status: 'queued' },
    });
    expect(userOf(reply)).toEqual(user);
    expect((await resend(user.email, me)).body).toMatchObject({ status: 429, code: 'rate_limited' });
    const neighbour = await makeUser(identity, partner);
    for (const email of [neighbour.email, someAddress()]) {
      const refused = await resend(email, me);
      expect(refused.body).toMatchObject({ status: 400, errors: [{ pointer: '#/email' }] });
    }
  });

  it('answers a partner as its own form does, and shares its limit', async () => {
    const user = await makeUser(identity, partner);
    const reply = await resend(user.email, partner.as);
    expect([reply.status, userOf(reply)]).toEqual([200, user]);
    const path = '/v1/client/users/resend-verification';
    const there = await identity.call('POST', path, { as: partner.as, body: { email: user.email } });
    expect(there.status).toBe(429);
    expect((await resend(user.email, other.as)).body).toMatchObject({ status: 404, code: 'user_not_found' });
  });

  it('is 403 for a key without the scope', async () => {
    const reply = await resend(someAddress(), { ...partner.as, scopes: ['users:read'] });
    expect(reply.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
  });
});
