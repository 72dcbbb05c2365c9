import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import {
  askedFor,
  asksFor,
  confirm,
  type Person,
  signedIn,
  signedUp,
  stop,
} from '../../support/changing-address.ts';
import type { TestNotifier } from '../../support/notifier.ts';
import { makeUser, someAddress, type TestPartner, userOf } from '../../support/people.ts';
import { endOf } from '../../support/session-of.ts';
import { signIn, someNetworkAddress } from '../../support/sign-in.ts';
import type { TestIdentity } from '../../support/start-identity.ts';
import { useIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
useIdentity((started) => {
  ({ identity, notifier, partner } = started);
});

const world = () => ({ identity, notifier });
const row = ({ id }: { id: number }) => identity.db.collection('users').findOne({ _id: id as never });
const ofPartner = async (fields: Record<string, unknown> = {}) =>
  await signedIn(world(), await makeUser(identity, partner, fields), partner.as.partner_id);
const put = (who: Person, body: unknown) => identity.call('PUT', `/v1/users/${who.id}`, { as: who.as, body });

const asked = (who: Person, email?: string) => askedFor(world(), who, email);

const eventsOf = async ({ id }: { id: number }) => {
  const rows = await identity.db.collection('outbox').find().toArray();
  return rows.flatMap(({ type, body }) => {
    const { data } = JSON.parse(String(body)) as { data: { user_id: number; version: number } };
    return data.user_id === id ? [{ type: String(type), body: String(body), version: data.version }] : [];
  });
};

describe('another address that a person asks for', () => {
  it('takes effect when the new address proves itself by the link; the holder before loses the account', async () => {
    const who = await signedUp(world());
    const { email, reply, prove, stop: stopping } = await asked(who);
    expect([Object.keys(userOf(reply)).length, userOf(reply).email]).toEqual([9, who.email]);
    expect(reply.body.message).toMatch(/sent a link to the new address/);
    expect(await row(who)).toMatchObject({ email: who.email, pending_email: email });
    const meanwhile = await signIn(identity, notifier, who);

    expect((await confirm(identity, prove)).body).toMatchObject({ verified: true, already_verified: false });
    expect(await row(who)).toMatchObject({ email, email_lower: email, pending_email: null });
    for (const session of [who.session, meanwhile]) {
      expect(await endOf(identity, session)).toBeInstanceOf(Date);
    }
    expect((await confirm(identity, prove)).body.already_verified).toBe(true);
    expect((await stop(identity, stopping)).body).toMatchObject({ code: 'invalid_verification_token' });
    expect((await signedIn(world(), { id: who.id, email }, null)).id).toBe(who.id);
  });

  it('takes effect by a login code sent to it, as long as no user has it', async () => {
    const who = await ofPartner();
    const { email, prove, stop: stopping } = await asked(who);
    const after = await signedIn(world(), { id: who.id, email }, partner.as.partner_id);
    expect(after.id).toBe(who.id);
    expect(await row(who)).toMatchObject({ email, email_lower: email, pending_email: null });
    expect((await row(who))?.email_verified_at).toBeInstanceOf(Date);
    expect(await endOf(identity, who.session)).toBeInstanceOf(Date);
    expect(await endOf(identity, after.session)).toBeNull();
    expect((await confirm(identity, prove)).body.already_verified).toBe(true);
    expect((await stop(identity, stopping)).status).toBe(400);
  });

  it('takes effect once where it is confirmed several times at the same moment', async () => {
    const who = await signedUp(world());
    const { email, prove } = await asked(who);
    const replies = await Promise.all([prove, prove, prove, prove].map((token) => confirm(identity, token)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await row(who)).toMatchObject({ email, pending_email: null });
    const versions = (await eventsOf(who)).map(({ version }) => version);
    expect(versions).toEqual([...new Set(versions)]);
  });

  it('is told by events without an address, and as proven', async () => {
    const who = await signedUp(world());
    const { email, prove } = await asked(who);
    await confirm(identity, prove);
    const events = await eventsOf(who);
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['user.updated', 'user.email_verified']);
    for (const { body } of events) expect(body).not.toMatch(new RegExp(`${email}|${who.email}`));
  });

  it('clears what a direct user had typed, and leaves what a partner keeps of its client', async () => {
    const typed = { name: 'Chosen Name', phone: '+12025550123', notify_by_whatsapp: true };
    const [direct, client] = [await signedUp(world()), await ofPartner()];
    for (const who of [direct, client]) {
      expect((await put(who, typed)).status).toBe(200);
      const { email, prove } = await asked(who);
      await confirm(identity, prove);
      const cleared = { name: email.split('@')[0], phone: null, notify_by_whatsapp: false };
      expect(await row(who)).toMatchObject({ email, ...(who === direct ? cleared : typed) });
    }
    expect((await row(direct))?.whatsapp_consent).toBeNull();
  });

  it('is given up by saving the present one, and replaced by the next', async () => {
    const who = await signedUp(world());
    const first = await asked(who);
    const second = await asked(who);
    expect((await confirm(identity, first.prove)).body).toMatchObject({ code: 'invalid_verification_token' });
    expect((await stop(identity, first.stop)).status).toBe(400);
    expect(await row(who)).toMatchObject({ pending_email: second.email });
    expect((await put(who, { email: who.email.toUpperCase() })).body).toMatchObject({
      message: 'User updated.',
      user: { email: who.email.toUpperCase() },
    });
    expect((await row(who))?.pending_email).toBeNull();
    expect((await confirm(identity, second.prove)).status).toBe(400);
  });

  it('is stopped by the present address, which ends all sessions', async () => {
    const who = await ofPartner();
    const { email, stop: token, prove } = await asked(who);
    const done = await stop(identity, token);
    expect(done.body).toMatchObject({ undone: true, already_undone: false });
    expect((await stop(identity, token)).body).toMatchObject({ undone: true, already_undone: true });
    expect(await endOf(identity, who.session)).toBeInstanceOf(Date);
    expect(await row(who)).toMatchObject({ email: who.email, pending_email: null });
    expect((await confirm(identity, prove)).status).toBe(400);
    expect((await row(who))?.email).not.toBe(email);
  });

  it('gives way to a change by the partner', async () => {
    const who = await ofPartner();
    const { prove } = await asked(who);
    const email = someAddress();
    const path = `/v1/client/users/${who.id}`;
    expect((await identity.call('PUT', path, { as: partner.as, body: { email } })).status).toBe(200);
    expect(await row(who)).toMatchObject({ email, pending_email: null });
    expect((await confirm(identity, prove)).status).toBe(400);
  });

  it('holds for 48 hours in the mail to it, and for seven days in the mail to the present one', async () => {
    const who = await signedUp(world());
    const { email, prove } = await asked(who);
    const hoursOf = (to: string) => {
      const mail = notifier.sent.findLast((sent) => sent.to === to);
      return Math.round((Date.parse(mail?.expires_at ?? '') - Date.now()) / 3_600_000);
    };
    expect([hoursOf(email), hoursOf(who.email)]).toEqual([48, 168]);
    const links = identity.db.collection('email_change_links');
    await links.updateOne(
      { user_id: who.id, side: 'new' },
      { $set: { expires_at: new Date(Date.now() - 1_000) } },
    );
    expect((await confirm(identity, prove)).status).toBe(400);
  });

  it('is asked for at most three times a day, by the person and the partner together', async () => {
    const who = await ofPartner();
    for (let i = 0; i < 2; i += 1) expect((await asksFor(world(), who, someAddress())).status).toBe(200);
    const path = `/v1/client/users/${who.id}`;
    const byPartner = () => identity.call('PUT', path, { as: partner.as, body: { email: someAddress() } });
    expect((await byPartner()).status).toBe(200);
    const refused = await byPartner();
    expect(refused.body).toMatchObject({
      status: 429,
      code: 'rate_limited',
      message: expect.stringMatching(/three times a day/),
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect((await identity.call('PUT', path, { as: partner.as, body: { name: 'Ana' } })).status).toBe(200);
  });
});

describe('an address that belongs to another user of the tenant', () => {
  it('is answered like a free one, and its owner alone is told', async () => {
    for (const make of [() => signedUp(world()), () => ofPartner()]) {
      const [who, owner] = [await make(), await make()];
      const plain = ({ body }: Awaited<ReturnType<typeof asksFor>>) =>
        JSON.stringify({ ...body, user: { ...userOf({ body } as never), updated_at: null } });
      const free = await asksFor(world(), who, someAddress());
      const taken = await asksFor(world(), who, owner.email.toUpperCase());
      expect([taken.status, plain(taken)]).toEqual([free.status, plain(free)]);
      const told = () => notifier.sent.filter(({ to, kind }) => to === owner.email && kind !== 'login_code');
      const mail = await waitFor(() => told().find(({ kind }) => kind === 'address_taken'));
      expect(mail).toMatchObject({ user_id: owner.id, language: 'en' });
      expect(await row(owner)).toMatchObject({ email: owner.email });
      expect(await endOf(identity, owner.session)).toBeNull();
      expect((await row(who))?.email).toBe(who.email);
    }
  });

  it('is never taken from them by a link', async () => {
    const who = await signedUp(world());
    const { email, prove } = await asked(who);
    const owner = await signedUp(world(), email);
    expect(owner.id).not.toBe(who.id);
    expect((await confirm(identity, prove)).body).toMatchObject({ code: 'invalid_verification_token' });
    expect([(await row(who))?.email, (await row(owner))?.email]).toEqual([who.email, email]);
  });

  it('is no obstacle in another tenant', async () => {
    const [who, neighbour] = [await signedUp(world()), await ofPartner()];
    const { prove } = await asked(who, neighbour.email);
    await confirm(identity, prove);
    expect((await row(who))?.email).toBe(neighbour.email);
  });
});

describe('an address that is only asked for', () => {
  it('makes the owner’s own account by a sign-up, whatever comes after', async () => {
    const who = await signedUp(world());
    const { email, stop: stopping } = await asked(who);
    const owner = await signedUp(world(), email);
    expect(owner.id).not.toBe(who.id);
    await stop(identity, stopping);
    expect(await row(owner)).toMatchObject({ email, phone: null });
    expect(await row(who)).toMatchObject({ email: who.email });
  });

  it('gets no code where two accounts asked for it', async () => {
    const email = someAddress();
    await asked(await signedUp(world()), email);
    await asksFor(world(), await signedUp(world()), email);
    const options = { body: { email }, address: someNetworkAddress() };
    const { body } = await identity.call('POST', '/v1/auth/login-code', options);
    const id = String(body.request_id);
    const challenge = await waitFor(async () => {
      const found = await identity.db.collection('login_challenges').findOne({ _id: id as never });
      return found?.delivery.status !== 'queued' && found;
    });
    expect(challenge.delivery).toMatchObject({ status: 'skipped' });
  });
});
