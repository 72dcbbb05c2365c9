import { verificationDelivery } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { makeUser, someAddress, type TestPartner, userOf } from '../../support/people.ts';
import type { TestIdentity } from '../../support/start-identity.ts';
import { useIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let partner: TestPartner;
let other: TestPartner;
useIdentity((started) => {
  ({ identity, partner, other } = started);
});

const create = (body: unknown, as = partner.as) => identity.call('POST', '/v1/client/users', { as, body });

describe('creating a partner user', () => {
  it('answers 201 with the user, its address and the state of the mail', async () => {
    const email = someAddress();
    const reply = await create({ email: ` ${email} `, name: 'Maria Silva', phone: '+12025550123' });
    expect(reply.status).toBe(201);
    const user = userOf(reply);
    expect(reply.headers.get('location')).toBe(`/v1/client/users/${user.id}`);
    expect(reply.body).toMatchObject({ success: true, verification_required: true });
    expect(user).toEqual({
      id: expect.any(Number),
      email,
      name: 'Maria Silva',
      phone: '+12025550123',
      preferred_language: 'en',
      email_verified_at: null,
      notify_by_email: true,
      notify_by_whatsapp: false,
      status: 'active',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: user.created_at,
    });
    const delivery = reply.body.verification_delivery as Record<string, string>;
    expect(delivery).toEqual({
      channel: 'email',
      status: 'queued',
      reason: null,
      to: 'p***@example.com',
      attempts: 0,
      last_error: null,
      queued_at: expect.stringMatching(/Z$/),
      sent_at: null,
      expires_at: new Date(Date.parse(String(delivery.queued_at)) + 48 * 3_600_000).toISOString(),
      resend_available_at: delivery.queued_at,
    });
  });

  it('takes the longest address there may be, whose masked form is longer still', async () => {
    const email = `a@${['b', 'c', 'd'].map((letter) => letter.repeat(63)).join('.')}.${'e'.repeat(60)}`;
    expect(email).toHaveLength(254);
    const reply = await create({ email, name: 'Maria Silva' });
    expect(reply.status).toBe(201);
    const delivery = verificationDelivery.parse(reply.body.verification_delivery);
    expect(delivery.to).toBe(email.replace('a@', 'a***@'));
  });

  it('sends no mail if the request asks for none, and says so', async () => {
    const reply = await create({ email: someAddress(), name: 'Maria', send_verification: false });
    expect(reply.body.verification_delivery).toMatchObject({ status: 'skipped', reason: 'not_requested' });
    expect(
      await identity.db.collection('email_verifications').countDocuments({ user_id: userOf(reply).id }),
    ).toBe(0);
  });

  it('records consent where WhatsApp is switched on', async () => {
    const user = await makeUser(identity, partner, { phone: '+15005550006', notify_by_whatsapp: true });
    const row = await identity.db.collection('users').findOne({ email: user.email });
    expect(row?.whatsapp_consent).toMatchObject({
      at: expect.any(Date),
      by: `partner:${partner.as.partner_id}/key:${partner.as.key_id}`,
      text_version: '2026-11',
    });
  });

  it('refuses WhatsApp without a phone and an invalid phone, both together', async () => {
    const reply = await create({ email: someAddress(), name: 'M', notify_by_whatsapp: true });
    expect(reply.status).toBe(400);
    expect(reply.body.errors).toMatchObject([{ pointer: '#/notify_by_whatsapp', code: 'phone_required' }]);
    const short = await create({ email: someAddress(), name: 'M', phone: '+1202555' });
    expect(short.body).toMatchObject({
      status: 400,
      errors: [{ pointer: '#/phone', code: 'invalid_phone' }],
    });
  });

  it('reports every fault of the body', async () => {
    const reply = await create({ email: 'nobody', surprise: 1 });
    expect(reply.body).toMatchObject({ status: 400, code: 'validation_failed' });
    const pointers = (reply.body.errors as { pointer: string }[]).map((fault) => fault.pointer);
    expect(pointers.sort()).toEqual(['#/email', '#/name', '#/surprise']);
  });

  it('has an address once per partner, whatever its case', async () => {
    const email = someAddress();
    await makeUser(identity, partner, { email });
    const again = await create({ email: email.toUpperCase(), name: 'Somebody' });
    expect(again.body).toMatchObject({ status: 409, code: 'email_already_exists' });
    expect((await create({ email, name: 'Somebody' }, other.as)).status).toBe(201);
  });

  it('creates one user for ten concurrent requests with one address', async () => {
    const email = someAddress();
    const replies = await Promise.all(Array.from({ length: 10 }, () => create({ email, name: 'Maria' })));
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, ...Array(9).fill(409)]);
    expect(await identity.db.collection('users').countDocuments({ email })).toBe(1);
    expect(await identity.db.collection('email_verifications').countDocuments({ email_lower: email })).toBe(
      1,
    );
  });

  it('asks for credentials of a partner', async () => {
    const reply = await identity.call('POST', '/v1/client/users', {
      body: { email: someAddress(), name: 'M' },
    });
    expect(reply.body).toMatchObject({ status: 401, code: 'missing_credentials' });
  });
});
