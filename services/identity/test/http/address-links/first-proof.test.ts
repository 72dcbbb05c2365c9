import { describe, expect, it } from '@jest/globals';
import { undoTokenOf } from '../../../src/credentials/link-tokens.ts';
import { createMacs } from '../../../src/credentials/macs.ts';
import { confirm, type Person, signedIn, signedUp, stop, tokenIn } from '../../support/changing-address.ts';
import type { TestNotifier } from '../../support/notifier.ts';
import { makeUser, someAddress, type TestPartner, userOf } from '../../support/people.ts';
import { endOf } from '../../support/session-of.ts';
import { requestCode, signIn } from '../../support/sign-in.ts';
import { pepper, type TestIdentity } from '../../support/start-identity.ts';
import { useIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
useIdentity((started) => {
  ({ identity, notifier, partner } = started);
});

const world = () => ({ identity, notifier });
const users = () => identity.db.collection('users');
const row = ({ id }: { id: number }) => users().findOne({ _id: id as never });
const typed = { name: 'Chosen By A', phone: '+12025550123', notify_by_whatsapp: true };

/**
 * What a proof must end, whoever left it: a new address that took effect unproven, a session, and a link from the old address
 * that undoes the change.
 */
async function movedUnproven(address = someAddress()) {
  const who = await signedUp(world());
  await identity.call('PUT', `/v1/users/${who.id}`, { as: who.as, body: typed });
  const now = new Date();
  const change = { _id: `change-of-${who.id}`, user_id: who.id, old_email: who.email };
  const times = { created_at: now, expires_at: new Date(now.getTime() + 86_400_000) };
  const rest = { old_verified_at: now, undone_at: null, void_at: null, ...times };
  await identity.db.collection('email_changes').insertOne({ ...change, ...rest } as never);
  const set = { email: address, email_lower: address, email_verified_at: null };
  await users().updateOne({ _id: who.id as never }, { $set: set });
  return { who, address, undo: undoTokenOf(change, createMacs([pepper])) };
}

async function expectOnlyOwner(who: Person, address: string, undo: string): Promise<void> {
  expect(await row(who)).toMatchObject({
    email: address,
    name: address.split('@')[0],
    phone: null,
    notify_by_whatsapp: false,
    whatsapp_consent: null,
  });
  expect(await endOf(identity, who.session)).toBeInstanceOf(Date);
  const refresh = { grant_type: 'refresh_token', refresh_token: who.session.refreshToken };
  expect((await identity.call('POST', '/v1/auth/token', { body: refresh })).status).toBe(401);
  expect((await stop(identity, undo)).body).toMatchObject({
    status: 400,
    code: 'invalid_verification_token',
  });
}

describe('who first proves an address that an account had unproven', () => {
  it('has it alone, by a code: other sessions, undo links and what was typed are gone', async () => {
    const { who, address, undo } = await movedUnproven();
    const owner = await signIn(identity, notifier, { id: 0, email: address });
    expect(await endOf(identity, owner)).toBeNull();
    await expectOnlyOwner(who, address, undo);
  });

  it('has it alone, by a link', async () => {
    const { who, address, undo } = await movedUnproven();
    await identity.call('POST', '/v1/users/resend-verification', { body: { email: address } });
    expect((await confirm(identity, await tokenIn(world(), 'verify_email', address))).status).toBe(200);
    await expectOnlyOwner(who, address, undo);
  });

  it('is not shown a name that the other chose', async () => {
    const { who, address } = await movedUnproven();
    const { id } = await makeUser(identity, partner, { email: address, name: 'Client V' });
    const { code, requestId } = await requestCode(identity, notifier, address);
    const body = { email: address, code, request_id: requestId };
    expect((await identity.call('POST', '/v1/auth/token', { body })).body).toMatchObject({
      code: 'user_selection_required',
      users: [
        { id: who.id, name: address.split('@')[0], partner_name: null },
        { id, name: 'Client V', partner_name: 'Law Firm' },
      ],
    });
  });

  it('leaves the name and phone of a partner’s client, and ends the sessions and undo links all the same', async () => {
    const client = await signedIn(world(), await makeUser(identity, partner, typed), partner.as.partner_id);
    const address = someAddress();
    const path = `/v1/client/users/${client.id}`;
    const moved = await identity.call('PUT', path, { as: partner.as, body: { email: address } });
    expect(userOf(moved)).toMatchObject({ email: address, email_verified_at: null });
    const undo = await tokenIn(world(), 'address_changed', client.email);
    const owner = await signIn(identity, notifier, { id: client.id, email: address });
    expect(await row(client)).toMatchObject({ email: address, ...typed });
    expect([await endOf(identity, owner), await endOf(identity, client.session)]).toEqual([
      null,
      expect.any(Date),
    ]);
    expect((await stop(identity, undo)).status).toBe(400);
  });

  it('keeps out an undo link from before the proof, also where the link was not made invalid', async () => {
    const { who, address, undo } = await movedUnproven();
    await users().updateOne({ _id: who.id as never }, { $set: { email_verified_at: new Date() } });
    expect((await stop(identity, undo)).status).toBe(400);
    expect((await row(who))?.email).toBe(address);
  });

  it('takes it back by an undo link from somebody who moved there without proving it', async () => {
    const { who, address } = await movedUnproven();
    const owner = await signedUp(world());
    const change = { _id: `change-of-${owner.id}`, user_id: owner.id, old_email: address };
    const now = new Date();
    const rest = { old_verified_at: now, undone_at: null, void_at: null, created_at: now };
    const expires_at = new Date(now.getTime() + 86_400_000);
    const set = { email: someAddress(), email_verified_at: null };
    await users().updateOne({ _id: owner.id as never }, { $set: { ...set, email_lower: set.email } });
    await identity.db.collection('email_changes').insertOne({ ...change, ...rest, expires_at } as never);
    expect((await stop(identity, undoTokenOf(change, createMacs([pepper])))).status).toBe(200);
    expect([(await row(owner))?.email, await row(who)]).toEqual([address, null]);
  });
});
