import type { MailPartner } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { askedFor, signedIn, signedUp } from '../support/changing-address.ts';
import type { TestNotifier } from '../support/notifier.ts';
import { makePartner, makeUser, someAddress, type TestPartner } from '../support/people.ts';
import { requestCode, someNetworkAddress } from '../support/sign-in.ts';
import { publicUrl, type TestIdentity } from '../support/start-identity.ts';
import { useIdentity } from '../support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let other: TestPartner;
useIdentity((started) => {
  ({ identity, notifier, other } = started);
});

const world = () => ({ identity, notifier });
const shown: MailPartner = {
  name: 'Santos & Partners',
  logo_url: `${publicUrl}/logos/aaaaaaaaaaaaaaaaaaaaaa.png`,
  support_contact: 'help@santos.example',
  reply_to: 'desk@santos.example',
};

/** A partner with all that mails show. */
async function firm(over: Record<string, unknown> = {}): Promise<TestPartner> {
  const partner = await makePartner(identity, 'Santos & Partners');
  const profile = {
    logo_url: 'https://santos.example/logo.png',
    logo_name: 'aaaaaaaaaaaaaaaaaaaaaa.png',
    support_contact: 'help@santos.example',
    reply_to: 'desk@santos.example',
    ...over,
  };
  await identity.db
    .collection('partners')
    .updateOne({ _id: partner.as.partner_id as never }, { $set: profile });
  return partner;
}

async function mailOf(kind: string, to: string) {
  const isIt = (mail: { kind: string; to: string }) => mail.kind === kind && mail.to === to;
  return await waitFor(() => notifier.sent.findLast(isIt), { what: `the mail ${kind}` });
}

describe('a mail to the client of a partner names the partner', () => {
  it('that confirms the address, also when it is sent again', async () => {
    const partner = await firm();
    const user = await makeUser(identity, partner);
    const first = await mailOf('verify_email', user.email);
    expect(first.partner).toEqual(shown);
    await identity.call('POST', '/v1/users/resend-verification', { body: { email: user.email } });
    const again = await waitFor(
      () => notifier.sent.find((mail) => mail.to === user.email && mail.message_id !== first.message_id),
      { what: 'the mail that is sent again' },
    );
    expect(again).toMatchObject({ kind: 'verify_email', partner: shown });
  });

  it('that brings a code', async () => {
    const user = await makeUser(identity, await firm());
    await requestCode(identity, notifier, user.email);
    expect((await mailOf('login_code', user.email)).partner).toEqual(shown);
  });

  it('that asks about another address, at both addresses, and that says it was changed', async () => {
    const partner = await firm();
    const who = await signedIn(world(), await makeUser(identity, partner), partner.as.partner_id);
    const { email } = await askedFor(world(), who);
    expect((await mailOf('confirm_new_address', email)).partner).toEqual(shown);
    expect((await mailOf('address_change_asked', who.email)).partner).toEqual(shown);
    const moved = someAddress();
    const body = { email: moved };
    await identity.call('PUT', `/v1/client/users/${who.id}`, { as: partner.as, body });
    expect((await mailOf('address_changed', who.email)).partner).toEqual(shown);
    expect((await mailOf('verify_email', moved)).partner).toEqual(shown);
  });

  it('that says an address is taken: by another client of the same partner', async () => {
    const partner = await firm();
    const owner = await makeUser(identity, partner);
    const who = await signedIn(world(), await makeUser(identity, partner), partner.as.partner_id);
    await identity.call('PUT', `/v1/users/${who.id}`, { as: who.as, body: { email: owner.email } });
    expect((await mailOf('address_taken', owner.email)).partner).toEqual(shown);
  });

  it.each([
    ['that is suspended', { status: 'suspended' }, {}],
    ['that took its logo back', { logo_url: null, logo_name: null }, { logo_url: null }],
    ['whose logo was refused', { logo_name: null }, { logo_url: null }],
    [
      'without a contact',
      { support_contact: null, reply_to: null },
      { support_contact: null, reply_to: null },
    ],
  ])('%s', async (_what, profile, change) => {
    const partner = await firm();
    await identity.db
      .collection('partners')
      .updateOne({ _id: partner.as.partner_id as never }, { $set: profile });
    const user = await makeUser(identity, partner);
    expect((await mailOf('verify_email', user.email)).partner).toEqual({ ...shown, ...change });
  });
});

/** An account without a partner, whose person has not signed in. */
async function signUp(email: string): Promise<void> {
  const body = { email, name: 'Direct' };
  await identity.call('POST', '/v1/users', { body, address: someNetworkAddress() });
  await waitFor(() => identity.db.collection('users').findOne({ email, partner_id: null }));
}

describe('a mail names no partner', () => {
  it('to a person without one', async () => {
    const who = await signedUp(world());
    expect((await mailOf('verify_email', who.email)).partner).toBeNull();
    expect((await mailOf('login_code', who.email)).partner).toBeNull();
    const { email } = await askedFor(world(), who);
    expect((await mailOf('confirm_new_address', email)).partner).toBeNull();
    expect((await mailOf('address_change_asked', who.email)).partner).toBeNull();
  });

  it.each([
    [
      'two partners',
      async (email: string) => {
        await makeUser(identity, other, { email });
      },
    ],
    ['a partner and with us', signUp],
  ])('with a code for an address that has accounts at %s', async (_where, second) => {
    const user = await makeUser(identity, await firm());
    await second(user.email);
    await requestCode(identity, notifier, user.email);
    expect((await mailOf('login_code', user.email)).partner).toBeNull();
  });
});
