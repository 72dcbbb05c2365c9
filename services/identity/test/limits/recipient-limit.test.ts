import { waitFor } from '@casewatch/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { startTestNotifier, type TestNotifier } from '../support/notifier.ts';
import { createUser, makePartner, makeUser, someAddress, type TestPartner } from '../support/people.ts';
import { requestCode, signIn, someNetworkAddress } from '../support/sign-in.ts';
import type { Reply, TestIdentity } from '../support/start-identity.ts';
import { useIdentity } from '../support/use-identity.ts';

const hourMs = 60 * 60 * 1_000;

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
let other: TestPartner;
let restarted: TestNotifier | undefined;
// Before the servers stop: it would try to connect again for ever.
afterAll(() => restarted?.stop());
useIdentity((started) => {
  ({ identity, notifier, partner, other } = started);
});

const create = (email: string, by = partner): Promise<Reply> => createUser(identity, by, { email });
const deliveryIn = (reply: Reply) => reply.body.verification_delivery as Record<string, unknown>;

/** Creates and deletes a user with this address until no mail goes to it any more; how many went. */
async function exhaust(email: string): Promise<number> {
  for (let sent = 0; sent < 20; sent++) {
    const reply = await create(email, other);
    const { id } = reply.body.user as { id: number };
    await identity.call('DELETE', `/v1/client/users/${id}`, { as: other.as });
    if (deliveryIn(reply).status === 'skipped') return sent;
  }
  throw new Error('there is no limit');
}

/** As if the mails so far had been sent an hour earlier. */
async function anHourLater(): Promise<void> {
  const rows = identity.db.collection('rate_limits');
  const earlier = { $map: { input: '$hits', in: { $subtract: ['$$this', hourMs] } } };
  await rows.updateMany({ _id: /^recipient-/ as never }, [{ $set: { hits: earlier } }]);
}

describe('beyond the limit of mails to one recipient', () => {
  it('a creation succeeds, says that no mail was sent, and when one can be asked for', async () => {
    const email = someAddress();
    expect(await exhaust(email)).toBe(3);
    const reply = await create(email);
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ success: true, verification_required: true, user: { email } });
    expect(reply.body.message).toBe(
      'User created. No verification e-mail was sent: this address received too many e-mails recently.',
    );
    expect(deliveryIn(reply)).toMatchObject({
      status: 'skipped',
      reason: 'recipient_limit',
      queued_at: null,
    });
    const waitMs = Date.parse(String(deliveryIn(reply).resend_available_at)) - Date.now();
    expect(waitMs).toBeGreaterThan(hourMs - 60_000);
    expect(waitMs).toBeLessThanOrEqual(hourMs);
  });

  it('asking again is 200 and says the same', async () => {
    const email = someAddress();
    await exhaust(email);
    await create(email);
    const path = '/v1/client/users/resend-verification';
    const reply = await identity.call('POST', path, { as: partner.as, body: { email } });
    expect([reply.status, deliveryIn(reply).reason]).toEqual([200, 'recipient_limit']);
    expect(reply.body.message).toBe(
      'No verification e-mail was sent: this address received too many e-mails recently.',
    );
  });

  it('a change of address succeeds, and an anonymous sign-up answers as ever', async () => {
    const email = someAddress();
    await exhaust(email);
    const user = await makeUser(identity, partner);
    const path = `/v1/client/users/${user.id}`;
    expect((await identity.call('PUT', path, { as: partner.as, body: { email } })).status).toBe(200);
    const body = { email, name: 'Someone' };
    const signUp = await identity.call('POST', '/v1/users', { body, address: someNetworkAddress() });
    const fresh = { ...body, email: someAddress() };
    const usual = await identity.call('POST', '/v1/users', { body: fresh, address: someNetworkAddress() });
    expect([signUp.status, signUp.body]).toEqual([202, usual.body]);
  });

  it('counts ten a day at most, however they are spread', async () => {
    const email = someAddress();
    const sent: number[] = [];
    for (let hour = 0; hour < 5; hour++) {
      sent.push(await exhaust(email));
      await anHourLater();
    }
    expect(sent).toEqual([3, 3, 3, 1, 0]);
  });

  it('keeps the address only as a keyed hash', async () => {
    const email = someAddress();
    await exhaust(email);
    const rows = await identity.db
      .collection('rate_limits')
      .find({ _id: /^recipient-/ as never })
      .toArray();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(email);
  });
});

describe('the limit of mails to one recipient', () => {
  it('is exact for mails that are requested at the same time', async () => {
    const email = someAddress();
    const partners = await Promise.all([1, 2, 3, 4, 5].map(() => makePartner(identity, 'Firm')));
    const replies = await Promise.all(partners.map((by) => create(email, by)));
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const statuses = replies.map((reply) => deliveryIn(reply).status);
    expect(statuses.sort()).toEqual(['queued', 'queued', 'queued', 'skipped', 'skipped']);
  });

  it('does not keep login codes from anybody', async () => {
    const user = await makeUser(identity, partner);
    await exhaust(user.email);
    expect((await requestCode(identity, notifier, user.email)).code).toMatch(/^\d{6}$/);
  });

  it('is not used up by login codes', async () => {
    const user = await makeUser(identity, partner);
    for (let i = 0; i < 16; i++) {
      await identity.call('POST', '/v1/auth/login-code', {
        body: { email: user.email },
        address: someNetworkAddress(),
      });
    }
    expect(await exhaust(user.email)).toBe(2);
  });

  it('does not keep the link that undoes a change from the old address', async () => {
    const user = await makeUser(identity, partner);
    await signIn(identity, notifier, user);
    await exhaust(user.email);
    const body = { email: someAddress() };
    const path = `/v1/client/users/${user.id}`;
    expect((await identity.call('PUT', path, { as: partner.as, body })).status).toBe(200);
    const isNotice = ({ kind, to }: { kind: string; to: string }) =>
      kind === 'address_changed' && to === user.email;
    expect(await waitFor(() => notifier.sent.find(isNotice))).toBeDefined();
  });

  it('counts a mail once that the notifier takes only at a later try', async () => {
    const recipient = someAddress();
    const body = { email: recipient, name: 'Someone' };
    const direct = () => identity.call('POST', '/v1/users', { body, address: someNetworkAddress() });
    await direct();
    await notifier.mailTo(recipient);
    await notifier.stop();
    await direct();
    const rows = identity.db.collection('address_requests');
    await waitFor(async () => await rows.findOne({ email: recipient, 'delivery.attempts': { $gte: 2 } }), {
      what: 'a second try',
    });
    notifier = await startTestNotifier(identity.nats);
    restarted = notifier;
    expect(await notifier.mailTo(recipient)).toMatchObject({ kind: 'address_taken' });
    // The verification mail, the notice that the address is taken, and one more.
    expect(await exhaust(recipient)).toBe(1);
  });
});
