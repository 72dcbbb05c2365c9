import {
  bearer,
  createPartner,
  keyHeaders,
  type PartnerKeys,
  type PartnerWithKey,
  send,
  signIn,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Gateway, startGateway } from '../support/gateways.ts';
import { newPartner, operator } from '../support/operator.ts';
import { poll } from '../support/polling.ts';
import { describeOwnSystem, pidOf, type System, sharedSystemOfProcesses } from '../support/system.ts';

/** How long after a revocation somebody may still be served (interface.md §4, Partner keys), ms. */
const promiseMs = 2_000;
/** What is allowed from then on: who calls is refused, or cannot be known. */
const refusals = [401, 403, 503];

describeOwnSystem('a revocation over three gateways', () => {
  let system: System;
  let gateways: Gateway[];
  beforeAll(async () => {
    system = await sharedSystemOfProcesses();
    gateways = await Promise.all([0, 1, 2].map(() => startGateway(system)));
  }, 240_000);
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  }, 60_000);

  const urlsOf = (path: string) => gateways.map(({ url }) => url + path);
  const somePartner = () => newPartner(system.dataDir, 'To Be Revoked');
  const revokeKey = ({ key_id }: PartnerWithKey) =>
    operator(system.dataDir, 'key', 'revoke', '--key', String(key_id));

  /** Every gateway serves; then `revoke`; and whatever is asked 2 s later is refused everywhere, `disturb` or not. */
  async function expectRefused(
    { path, headers }: { path: string; headers: Record<string, string> },
    revoke: () => Promise<unknown>,
    disturb: () => void = () => {},
  ) {
    const urls = urlsOf(path);
    const polling = poll(urls, headers);
    const countOf = (url: string, from: number) =>
      polling.seen.filter((one) => one.url === url && one.sentAt > from).length;
    await waitFor(
      () => urls.every((url) => polling.seen.filter((one) => one.url === url).at(-1)?.status === 200),
      { timeoutMs: 120_000, what: 'a 200 of each' },
    );
    disturb();
    await revoke();
    const endsAt = performance.now() + promiseMs;
    await waitFor(() => urls.every((url) => countOf(url, endsAt) >= 5), {
      timeoutMs: 120_000,
      what: 'answers after that',
    });
    await polling.stop();
    const late = polling.seen.filter((one) => one.sentAt > endsAt);
    expect(late.map(({ status }) => status).filter((status) => !refusals.includes(status))).toEqual([]);
    return late.map(({ status }) => status);
  }

  const asPartner = (partner: PartnerWithKey) => ({
    path: '/v1/client/users',
    headers: keyHeaders(partner),
  });

  it('of a key holds within 2 s', async () => {
    const partner = await somePartner();
    const statuses = await expectRefused(asPartner(partner), () => revokeKey(partner));
    expect(new Set(statuses)).toEqual(new Set([401]));
  }, 300_000);

  it('of a partner holds within 2 s, while their users go on', async () => {
    const partner = await somePartner();
    const person = await aPerson(partner);
    const suspend = () => operator(system.dataDir, 'partner', 'suspend', '--partner', String(partner.id));
    expect(new Set(await expectRefused(asPartner(partner), suspend))).toEqual(new Set([403]));
    for (const url of urlsOf(person.path)) {
      expect((await fetch(url, { headers: person.headers })).status).toBe(200);
    }
  }, 300_000);

  it('of a user and of a session holds within 2 s', async () => {
    const { partner } = system.dev();
    const person = await aPerson(partner);
    const suspend = () => operator(system.dataDir, 'user', 'suspend', '--user', String(person.id));
    expect(new Set(await expectRefused(person, suspend))).toEqual(new Set([403]));
    const other = await aPerson(partner);
    const logOut = () => send(system.dev(), 'POST', { as: other.headers, path: '/v1/auth/logout', body: {} });
    expect(new Set(await expectRefused(other, logOut))).toEqual(new Set([401]));
  }, 300_000);

  it('holds within 2 s, or is 503, where the bus is frozen or cut; and all serve again when it is back', async () => {
    const partner = await somePartner();
    const [, frozen, cut] = gateways;
    const disturb = () => {
      frozen?.link.freeze();
      cut?.link.cut();
    };
    await expectRefused(asPartner(partner), () => revokeKey(partner), disturb);
    frozen?.link.heal();
    cut?.link.heal();
    const good = system.dev().partner;
    const polling = poll(urlsOf('/v1/client/users'), keyHeaders(good));
    const serves = (url: string) => polling.seen.filter((one) => one.url === url).at(-1)?.status === 200;
    await waitFor(() => urlsOf('/v1/client/users').every(serves), { timeoutMs: 120_000, what: 'service' });
    await polling.stop();
  }, 300_000);

  it('holds within 2 s, or is 503, where identity is killed at that moment', async () => {
    const partner = await somePartner();
    const pid = pidOf(system, 'identity');
    const kill = () => void process.kill(pid, 'SIGKILL');
    await expectRefused(asPartner(partner), () => revokeKey(partner), kill);
    await waitFor(() => system.dev().services.identity?.pid !== pid, { timeoutMs: 30_000 });
    const good = system.dev().partner;
    const served = async () => {
      const asked = urlsOf('/v1/client/users').map((url) => fetch(url, { headers: keyHeaders(good) }));
      return (await Promise.all(asked)).every(({ status }) => status === 200);
    };
    await waitFor(served, { timeoutMs: 120_000, what: 'service' });
  }, 300_000);

  it('is known to a gateway that has just started, from its first answer on', async () => {
    const partner = await somePartner();
    await revokeKey(partner);
    const fresh = await startGateway(system, { ready: false });
    try {
      const ask = async () =>
        (await fetch(`${fresh.url}/v1/client/users`, { headers: keyHeaders(partner) })).status;
      expect(refusals).toContain(await ask());
      await waitFor(async () => (await ask()) === 401, { what: 'a 401' });
    } finally {
      await fresh.stop();
    }
  }, 300_000);

  async function aPerson(partner: PartnerKeys) {
    const dev = system.dev();
    const { id, email } = await createPartner(dev, partner).verifiedUser();
    const { access_token } = await signIn(dev, email);
    return { id, path: `/v1/users/${id}`, headers: bearer(access_token) };
  }
});
