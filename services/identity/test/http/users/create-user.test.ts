import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../../support/notifier.ts';
import { makeUser, someAddress, type TestPartner, userOf } from '../../support/people.ts';
import { requestCode, signIn, someNetworkAddress } from '../../support/sign-in.ts';
import type { TestIdentity } from '../../support/start-identity.ts';
import { useIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
useIdentity((started) => {
  ({ identity, notifier, partner } = started);
});

const signUp = (fields: Record<string, unknown>, address = someNetworkAddress()) =>
  identity.call('POST', '/v1/users', { body: { name: 'Maria Silva', ...fields }, address });
const mailsTo = (to: string) => notifier.sent.filter((mail) => mail.to === to);
const usersWith = (email_lower: string) =>
  identity.db.collection('users').find({ email_lower }).sort({ _id: 1 }).toArray();

describe('creating a user as a partner', () => {
  it('answers 201 as for a partner user, at the address of the list that was asked', async () => {
    const email = someAddress();
    const body = { email, name: 'Maria Silva', phone: '+12025550123', notify_by_whatsapp: true };
    const reply = await identity.call('POST', '/v1/users', { as: partner.as, body });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`/v1/users/${userOf(reply).id}`);
    expect(reply.body).toMatchObject({
      success: true,
      verification_required: true,
      verification_delivery: { status: 'queued' },
      user: { ...body, email_verified_at: null, status: 'active' },
    });
    expect((await notifier.mailTo(email)).kind).toBe('verify_email');
  });

  it('is 409 for an address that the partner has, 400 for faults, 403 without the scope', async () => {
    const { email } = await makeUser(identity, partner);
    const create = (body: unknown, as = partner.as) => identity.call('POST', '/v1/users', { as, body });
    expect((await create({ email, name: 'M' })).body).toMatchObject({
      status: 409,
      code: 'email_already_exists',
    });
    const faulty = await create({ email: 'nobody', send_verification: true });
    const pointers = (faulty.body.errors as { pointer: string }[]).map(({ pointer }) => pointer);
    expect([faulty.status, ...pointers.sort()]).toEqual([400, '#/email', '#/name', '#/send_verification']);
    const reader = { ...partner.as, scopes: ['users:read' as const] };
    expect((await create({ email: someAddress(), name: 'M' }, reader)).status).toBe(403);
  });
});

describe('signing up', () => {
  it('answers the same for a new and a taken address, and each gets its mail', async () => {
    const email = someAddress();
    const first = await signUp({ email });
    expect((await notifier.mailTo(email)).kind).toBe('verify_email');
    const second = await signUp({ email: email.toUpperCase() });
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(first.body).toEqual({
      success: true,
      message: expect.any(String),
      verification_required: true,
      user: null,
    });
    expect(second.text).toBe(first.text);
    expect(second.headers.get('location')).toBeNull();
    await waitFor(() => mailsTo(email).length === 2, { what: 'the second mail' });
    const [user, ...others] = await usersWith(email);
    expect(others).toEqual([]);
    expect(user).toMatchObject({ partner_id: null, email, preferred_language: 'en', version: 1 });
    expect(mailsTo(email)[1]).toEqual({
      kind: 'address_taken',
      message_id: expect.stringMatching(/^taken-/),
      to: email,
      language: 'en',
      expires_at: expect.any(String),
      user_id: user?._id,
    });
  });

  it('leaves nothing of what was typed but address, language and the e-mail flag', async () => {
    const email = someAddress();
    const typed = { phone: '+12025550188', notify_by_whatsapp: true, notify_by_email: false };
    await signUp({ email, ...typed, name: 'Somebody Else', preferred_language: 'pt' });
    const mail = await notifier.mailTo(email);
    expect(mail).toMatchObject({ kind: 'verify_email', language: 'pt' });
    await signIn(identity, notifier, { id: 0, email });
    const [user] = await usersWith(email);
    expect(user).toMatchObject({
      name: email.split('@')[0],
      phone: null,
      notify_by_whatsapp: false,
      whatsapp_consent: null,
      notify_by_email: false,
      email_verified_at: expect.any(Date),
    });
    for (const name of ['users', 'address_requests', 'outbox', 'email_verifications']) {
      const rows = JSON.stringify(await identity.db.collection(name).find().toArray());
      expect(rows).not.toMatch(/Somebody Else|2025550188/);
    }
  });

  it('makes a direct user beside a partner’s user with the same address', async () => {
    const { id, email } = await makeUser(identity, partner);
    await signUp({ email });
    const users = await waitFor(async () => {
      const rows = await usersWith(email);
      return rows.length === 2 ? rows : null;
    });
    expect(users.map(({ partner_id }) => partner_id).sort()).toEqual([partner.as.partner_id, null].sort());
    expect(users.some((row) => Number(row._id) === id)).toBe(true);
  });

  it('lets the person ask for a code immediately', async () => {
    const email = someAddress();
    await signUp({ email });
    const { code } = await requestCode(identity, notifier, email);
    expect(code).toMatch(/^\d{6}$/);
  });

  it('creates one user for several concurrent sign-ups', async () => {
    const email = someAddress();
    const replies = await Promise.all([1, 2, 3].map(() => signUp({ email })));
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202]);
    await waitFor(() => mailsTo(email).length === 3, { what: 'three mails' });
    expect(
      mailsTo(email)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['address_taken', 'address_taken', 'verify_email']);
    expect(await usersWith(email)).toHaveLength(1);
  });

  it('is limited to five an hour per network address and three a day per e-mail', async () => {
    const address = someNetworkAddress();
    const here = [];
    for (let i = 0; i < 6; i++) here.push(await signUp({ email: someAddress() }, address));
    expect(here.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 429]);
    expect(Number(here[5]?.headers.get('retry-after'))).toBeGreaterThan(3500);
    const email = someAddress();
    const same = [];
    for (let i = 0; i < 4; i++) same.push(await signUp({ email }));
    expect(same.map(({ status }) => status)).toEqual([202, 202, 202, 429]);
    expect(same[3]?.body.code).toBe('rate_limited');
  });

  it('is 400 for faults, which count towards no limit, and needs no credentials of a person', async () => {
    const address = someNetworkAddress();
    for (let i = 0; i < 6; i++) {
      const reply = await signUp({ email: someAddress(), notify_by_whatsapp: true }, address);
      expect(reply.body).toMatchObject({ status: 400, errors: [{ code: 'phone_required' }] });
    }
    expect((await signUp({ email: someAddress() }, address)).status).toBe(202);
  });
});
