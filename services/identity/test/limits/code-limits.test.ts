import { describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../support/notifier.ts';
import { makeUser, someAddress, type TestPartner } from '../support/people.ts';
import { requestCode, someNetworkAddress } from '../support/sign-in.ts';
import type { TestIdentity } from '../support/start-identity.ts';
import { useIdentity } from '../support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
useIdentity((started) => {
  ({ identity, notifier, partner } = started);
});

const ask = (email: string, address = someNetworkAddress()) =>
  identity.call('POST', '/v1/auth/login-code', { body: { email }, address });

/** Signs in from a network, by which that network is known. */
async function signInFrom(email: string, address: string): Promise<void> {
  const { code, requestId } = await requestCode(identity, notifier, email, address);
  const body = { email, code, request_id: requestId };
  const reply = await identity.call('POST', '/v1/auth/token', { body, address });
  expect(reply.status).toBe(200);
}

/** Asks from ever new networks until the shared budget is used up. */
async function strangersExhaust(email: string): Promise<number> {
  for (let asked = 0; asked < 40; asked++) {
    const reply = await ask(email);
    if (reply.status === 429) return asked;
    expect(reply.status).toBe(200);
  }
  throw new Error('there is no limit');
}

describe('the limits of login codes', () => {
  it('give an address fifteen an hour from all networks that nobody signed in from', async () => {
    const { email } = await makeUser(identity, partner);
    expect(await strangersExhaust(email)).toBe(15);
    const refused = await ask(email);
    expect(refused.body).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await ask(someAddress())).status).toBe(200);
  });

  it('are the same for an address that nobody has', async () => {
    expect(await strangersExhaust(someAddress())).toBe(15);
  });

  it('leave the owner their own limit, from where they signed in recently', async () => {
    const { email } = await makeUser(identity, partner);
    const home = someNetworkAddress();
    await signInFrom(email, home);
    // One was asked for at home before it was known.
    expect(await strangersExhaust(email)).toBe(14);
    await signInFrom(email, home);
    for (let i = 0; i < 3; i++) expect((await ask(email.toUpperCase(), home)).status).toBe(200);
    const sixth = await ask(email, home);
    expect(sixth.status).toBe(429);
    // Known as this person alone.
    const neighbour = await makeUser(identity, partner);
    expect(await strangersExhaust(neighbour.email)).toBe(15);
    expect((await ask(neighbour.email, home)).status).toBe(429);
  });

  it('forget a network thirty days after the last sign-in', async () => {
    const { email } = await makeUser(identity, partner);
    const home = someNetworkAddress();
    await signInFrom(email, home);
    const old = new Date(Date.now() - 30 * 24 * 3_600_000 - 1_000);
    await identity.db.collection('sign_in_places').updateMany({}, { $set: { at: old } });
    await strangersExhaust(email);
    expect((await ask(email, home)).status).toBe(429);
  });

  it('count a whole IPv6 network as one, and what is refused uses nothing up for others', async () => {
    const { email } = await makeUser(identity, partner);
    for (let i = 1; i <= 5; i++) expect((await ask(email, `2001:db8:7:7::${i}`)).status).toBe(200);
    for (let i = 6; i <= 20; i++) expect((await ask(email, `2001:db8:7:7::${i}`)).status).toBe(429);
    expect(await strangersExhaust(email)).toBe(10);
  });

  it('give a whole IPv6 site, a /48, a hundred an hour, and none of them to networks that are known', async () => {
    const owner = await makeUser(identity, partner);
    const home = '2001:db8:9:ffff::1';
    await signInFrom(owner.email, home);
    const ofSite = (i: number) => `2001:db8:9:${i.toString(16)}::1`;
    const statuses: number[] = [];
    for (let i = 0; i < 101; i++) statuses.push((await ask(someAddress(), ofSite(i))).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(99);
    expect(statuses.slice(-2)).toEqual([429, 429]);
    expect((await ask(someAddress(), '2001:db8:a::1')).status).toBe(200);
    expect((await ask(owner.email, home)).status).toBe(200);
  });

  it('keep neither the e-mail address nor the network in clear, and forget them with the person', async () => {
    const user = await makeUser(identity, partner);
    const home = someNetworkAddress();
    const places = identity.db.collection('sign_in_places');
    await places.deleteMany({});
    await signInFrom(user.email, home);
    const rows = JSON.stringify([
      await places.find().toArray(),
      await identity.db.collection('rate_limits').find().toArray(),
    ]);
    expect(await places.countDocuments()).toBe(1);
    expect([rows.includes(user.email), rows.includes(home)]).toEqual([false, false]);
    await identity.call('DELETE', `/v1/client/users/${user.id}`, { as: partner.as });
    expect(await places.countDocuments()).toBe(0);
  });
});
