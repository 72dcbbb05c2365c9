import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../../support/notifier.ts';
import { makeUser, someAddress, type TestPartner, userOf } from '../../support/people.ts';
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

const resend = (email: string, as = partner.as) =>
  identity.call('POST', '/v1/client/users/resend-verification', { as, body: { email } });

describe('resending the verification mail', () => {
  it('sends another one immediately after the creation, whatever the case of the address', async () => {
    const user = await makeUser(identity, partner);
    const first = await notifier.mailTo(user.email);
    const reply = await resend(user.email.toUpperCase());
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ success: true, verification_required: true });
    expect(userOf(reply)).toEqual(user);
    const delivery = reply.body.verification_delivery as Record<string, string>;
    expect(delivery).toMatchObject({ status: 'queued', attempts: 0, sent_at: null });
    expect(Date.parse(String(delivery.resend_available_at)) - Date.parse(String(delivery.queued_at))).toBe(
      60_000,
    );
    const ids = () => notifier.sent.filter((mail) => mail.to === user.email).map((mail) => mail.message_id);
    await waitFor(() => ids().length === 2);
    expect(new Set(ids()).size).toBe(2);
    expect(ids()).toContain(first.message_id);
  });

  it('is limited to one a minute, exactly, and says when the next is free', async () => {
    const user = await makeUser(identity, partner);
    const replies = await Promise.all(Array.from({ length: 5 }, () => resend(user.email)));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 429, 429, 429, 429]);
    const refused = replies.find((reply) => reply.status === 429);
    expect(refused?.body.code).toBe('rate_limited');
    const seconds = Number(refused?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
  });

  it('is limited to five a day', async () => {
    const user = await makeUser(identity, partner);
    const limits = identity.db.collection('rate_limits');
    for (let i = 0; i < 5; i++) {
      expect((await resend(user.email)).status).toBe(200);
      await limits.deleteMany({ _id: /^resend-minute:/ as never });
    }
    const sixth = await resend(user.email);
    expect(sixth.status).toBe(429);
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(23 * 3600);
  });

  it('has nothing to do for a verified address, and never limits it', async () => {
    const user = await makeUser(identity, partner);
    await signIn(identity, notifier, user);
    for (let i = 0; i < 3; i++) {
      const reply = await resend(user.email);
      expect(reply.status).toBe(200);
      expect(reply.body).toMatchObject({
        verification_required: false,
        verification_delivery: { status: 'skipped', reason: 'already_verified', queued_at: null },
      });
    }
  });

  it("is 404 for an address that is unknown or another partner's", async () => {
    const user = await makeUser(identity, other);
    expect((await resend(someAddress())).body).toMatchObject({ status: 404, code: 'user_not_found' });
    expect((await resend(user.email)).body).toMatchObject({ status: 404, code: 'user_not_found' });
  });

  it('is 400 for what is no address', async () => {
    expect((await resend('nobody')).body).toMatchObject({ status: 400, errors: [{ pointer: '#/email' }] });
  });
});
