import { describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../../support/notifier.ts';
import {
  admin,
  asUser,
  makeUser,
  someAddress,
  type TestPartner,
  userOf,
  type WireUser,
} from '../../support/people.ts';
import { endOf } from '../../support/session-of.ts';
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

const byPartner = (user: WireUser, body: unknown, as = partner.as) =>
  identity.call('PUT', `/v1/client/users/${user.id}`, { as, body });
const bySelf = (user: WireUser, body: unknown, signedInSecondsAgo = 0) =>
  identity.call('PUT', `/v1/users/${user.id}`, { as: asUser(user, partner, signedInSecondsAgo), body });
const row = (user: WireUser) => identity.db.collection('users').findOne({ _id: user.id as never });

describe('updating a user', () => {
  it('answers nine fields on /v1/users and eleven on /v1/client/users', async () => {
    const user = await makeUser(identity, partner);
    const { preferred_language, email_verified_at, ...nine } = user;
    const self = await bySelf(user, { name: 'Ana' });
    expect(self.status).toBe(200);
    expect(self.body).toEqual({
      success: true,
      message: expect.any(String),
      user: { ...nine, name: 'Ana', updated_at: expect.any(String) },
    });
    const eleven = await byPartner(user, { preferred_language: 'pt' });
    expect(userOf(eleven)).toEqual({
      ...user,
      name: 'Ana',
      preferred_language: 'pt',
      updated_at: expect.any(String),
    });
    expect([preferred_language, email_verified_at]).toEqual(['en', null]);
  });

  it('changes the fields that are sent, no others, and counts each change', async () => {
    const user = await makeUser(identity, partner, { phone: '+12025550123' });
    await byPartner(user, { name: 'Ana' });
    expect(await row(user)).toMatchObject({ name: 'Ana', phone: '+12025550123', version: 2 });
    await byPartner(user, { name: 'Ana' });
    expect((await row(user))?.version).toBe(2);
  });

  it('loses none of many concurrent changes', async () => {
    const user = await makeUser(identity, partner);
    const changes = [
      { name: 'Ana' },
      { preferred_language: 'es' },
      { phone: '+12025550123' },
      { status: 'inactive' },
    ];
    const replies = await Promise.all(changes.map((body) => byPartner(user, body)));
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200]);
    expect(await row(user)).toMatchObject({ ...Object.assign({}, ...changes), version: 5 });
    const events = await identity.db.collection('outbox').find({ type: 'user.updated' }).toArray();
    const versions = events
      .map((event) => JSON.parse(String(event.body)).data)
      .filter((data) => data.user_id === user.id)
      .map((data) => data.version);
    expect(versions.sort()).toEqual([2, 3, 4, 5]);
  });

  it('a refused change does not affect the changes at the same time', async () => {
    const [ana, bia] = [await makeUser(identity, partner), await makeUser(identity, partner)];
    const replies = await Promise.all([
      byPartner(ana, { name: 'Ana' }),
      byPartner(bia, { name: 'Foreign' }, other.as),
      byPartner(ana, { notify_by_whatsapp: true }),
      byPartner(bia, { name: 'Bia' }),
      byPartner(ana, { preferred_language: 'pt' }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 400, 200, 200]);
    expect(await row(ana)).toMatchObject({ name: 'Ana', preferred_language: 'pt', version: 3 });
    expect(await row(bia)).toMatchObject({ name: 'Bia', version: 2 });
    const outbox = identity.db.collection('outbox');
    const events = await outbox
      .find({ type: 'user.updated', body: { $regex: `"user/${ana.id}"` } })
      .toArray();
    expect(new Set(events.map(({ request_id }) => request_id)).size).toBe(2);
  });

  it('refuses an empty change, an unknown field and null where a value belongs', async () => {
    const user = await makeUser(identity, partner);
    expect((await byPartner(user, {})).body).toMatchObject({ status: 400, code: 'empty_update' });
    const reply = await byPartner(user, { created_at: 'x', name: null });
    expect((reply.body.errors as { pointer: string }[]).map((fault) => fault.pointer).sort()).toEqual([
      '#/created_at',
      '#/name',
    ]);
  });

  it("is 404 for another's user and for another person", async () => {
    const user = await makeUser(identity, partner);
    expect((await byPartner(user, { name: 'X' }, other.as)).body).toMatchObject({ code: 'user_not_found' });
    const stranger = asUser(await makeUser(identity, partner), partner);
    const reply = await identity.call('PUT', `/v1/users/${user.id}`, { as: stranger, body: { name: 'X' } });
    expect(reply.status).toBe(404);
  });

  it('is 409 where another user of the partner has the address', async () => {
    const [one, two] = [await makeUser(identity, partner), await makeUser(identity, partner)];
    const reply = await byPartner(one, { email: two.email.toUpperCase() });
    expect(reply.body).toMatchObject({ status: 409, code: 'email_already_exists' });
  });
});

describe('a user’s status', () => {
  it('moves between active and inactive by the person, but not to suspended', async () => {
    const user = await makeUser(identity, partner);
    expect(userOf(await bySelf(user, { status: 'inactive' })).status).toBe('inactive');
    expect(userOf(await bySelf(user, { status: 'active' })).status).toBe('active');
    const reply = await bySelf(user, { status: 'suspended' });
    expect(reply.body).toMatchObject({ status: 400, errors: [{ pointer: '#/status' }] });
  });

  it('can be suspended and lifted by the partner; the person can do nothing meanwhile', async () => {
    const user = await makeUser(identity, partner);
    expect(userOf(await byPartner(user, { status: 'suspended' })).status).toBe('suspended');
    expect((await bySelf(user, { name: 'X' })).body).toMatchObject({
      status: 403,
      code: 'account_suspended',
    });
    expect(userOf(await byPartner(user, { status: 'active' })).status).toBe('active');
  });

  it('stays suspended where the operator did it', async () => {
    const user = await makeUser(identity, partner);
    await admin(identity, 'user', 'suspend', '--user', String(user.id));
    expect((await byPartner(user, { status: 'active' })).body).toMatchObject({
      status: 403,
      code: 'account_suspended',
    });
    expect((await byPartner(user, { name: 'Ana' })).status).toBe(200);
    await admin(identity, 'user', 'reactivate', '--user', String(user.id));
    expect((await row(user))?.status).toBe('active');
  });
});

describe('WhatsApp consent', () => {
  it('needs a phone', async () => {
    const user = await makeUser(identity, partner);
    const reply = await bySelf(user, { notify_by_whatsapp: true });
    expect(reply.body).toMatchObject({ status: 400, errors: [{ pointer: '#/notify_by_whatsapp' }] });
  });

  it('is cleared by a changed phone unless the same body switches the flag on', async () => {
    const user = await makeUser(identity, partner, { phone: '+12025550123', notify_by_whatsapp: true });
    await byPartner(user, { phone: '+12025550124' });
    expect(await row(user)).toMatchObject({ notify_by_whatsapp: false, whatsapp_consent: null });
    await bySelf(user, { phone: '+12025550125', notify_by_whatsapp: true });
    expect(await row(user)).toMatchObject({
      notify_by_whatsapp: true,
      whatsapp_consent: { by: `user:${user.id}` },
    });
  });

  it('keeps the text that the person read, also after the text has changed; a new consent has the new one', async () => {
    const user = await makeUser(identity, partner, { phone: '+12025550123', notify_by_whatsapp: true });
    const before = { by: 'user:1', at: new Date('2026-02-01T12:00:00.000Z'), text_version: '2026-01' };
    await identity.db
      .collection('users')
      .updateOne({ email: user.email }, { $set: { whatsapp_consent: before } });
    await bySelf(user, { notify_by_whatsapp: true, name: 'Maria Silva' });
    expect((await row(user))?.whatsapp_consent).toEqual(before);
    await bySelf(user, { notify_by_whatsapp: false });
    await bySelf(user, { notify_by_whatsapp: true });
    expect((await row(user))?.whatsapp_consent).toMatchObject({
      by: `user:${user.id}`,
      text_version: '2026-11',
    });
  });

  it('does not let the phone go while the flag stays on', async () => {
    const user = await makeUser(identity, partner, { phone: '+12025550123', notify_by_whatsapp: true });
    const reply = await byPartner(user, { phone: null });
    expect(reply.body).toMatchObject({ status: 400, errors: [{ pointer: '#/phone' }] });
    expect((await byPartner(user, { phone: null, notify_by_whatsapp: false })).status).toBe(200);
  });
});

describe('a changed address', () => {
  it('must be verified again; a mail goes to it, old links are void', async () => {
    const user = await makeUser(identity, partner);
    const old = await notifier.mailTo(user.email);
    const email = someAddress();
    expect(userOf(await byPartner(user, { email })).email_verified_at).toBeNull();
    const link = new URL('link' in old ? old.link : '');
    const reply = await identity.call('GET', link.pathname + link.search);
    expect(reply.body).toMatchObject({ status: 400, code: 'invalid_verification_token' });
    expect(await notifier.mailTo(email)).toMatchObject({ kind: 'verify_email', user_id: user.id });
    // Back again: what was void stays void.
    await byPartner(user, { email: user.email });
    expect((await identity.call('GET', link.pathname + link.search)).status).toBe(400);
  });

  it('only in its case is the same address', async () => {
    const user = await makeUser(identity, partner);
    const reply = await bySelf(user, { email: user.email.toUpperCase() }, 3600);
    expect(userOf(reply).email).toBe(user.email.toUpperCase());
    expect(await identity.db.collection('email_verifications').countDocuments({ user_id: user.id })).toBe(1);
  });

  it('needs a sign-in of the last 15 minutes by the person', async () => {
    const user = await makeUser(identity, partner);
    const late = await bySelf(user, { email: someAddress() }, 15 * 60 + 5);
    expect(late.body).toMatchObject({ status: 401, code: 'reauthentication_required' });
    expect((await bySelf(user, { email: someAddress() }, 14 * 60)).status).toBe(200);
  });

  it('ends all sessions, which one that the person only asked for does not', async () => {
    const user = await makeUser(identity, partner);
    const session = await signIn(identity, notifier, user);
    expect((await bySelf(user, { email: someAddress() })).status).toBe(200);
    expect(await endOf(identity, session)).toBeNull();
    expect((await byPartner(user, { email: someAddress() })).status).toBe(200);
    expect(await endOf(identity, session)).toBeInstanceOf(Date);
  });
});
