import { randomUUID } from 'node:crypto';
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
import { createPersonBrowser } from '../support/person-browser.ts';
import { poll } from '../support/polling.ts';
import { invitationTo } from '../support/staff.ts';
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
  });
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  });

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

  it('of a key takes effect within 2 s', async () => {
    const partner = await somePartner();
    const statuses = await expectRefused(asPartner(partner), () => revokeKey(partner));
    expect(new Set(statuses)).toEqual(new Set([401]));
  });

  it('of a partner takes effect within 2 s, while their users continue', async () => {
    const partner = await somePartner();
    const person = await aPerson(partner);
    const suspend = () => operator(system.dataDir, 'partner', 'suspend', '--partner', String(partner.id));
    expect(new Set(await expectRefused(asPartner(partner), suspend))).toEqual(new Set([403]));
    for (const url of urlsOf(person.path)) {
      expect((await fetch(url, { headers: person.headers })).status).toBe(200);
    }
  });

  it('of a user and of a session takes effect within 2 s', async () => {
    const { partner } = system.dev();
    const person = await aPerson(partner);
    const suspend = () => operator(system.dataDir, 'user', 'suspend', '--user', String(person.id));
    expect(new Set(await expectRefused(person, suspend))).toEqual(new Set([403]));
    const other = await aPerson(partner);
    const logOut = () => send(system.dev(), 'POST', { as: other.headers, path: '/v1/auth/logout', body: {} });
    expect(new Set(await expectRefused(other, logOut))).toEqual(new Set([401]));
  });

  it('of a member takes effect within 2 s in open pages: with the role, the status, the sign-out, the removal', async () => {
    const firm = await somePartner();
    const call = createPartner(system.dev(), firm).call;
    const change = (id: number, body: object) => call('PUT', `/v1/client/staff/${id}`, body);
    const [lowered, disabled, left, removed] = await Promise.all([0, 1, 2, 3].map(() => aMember(firm)));
    if (!lowered || !disabled || !left || !removed) throw new Error('a member is missing');
    const statusesAfter = async (
      { cookie }: { cookie: string },
      { path, revoke }: { path: string; revoke: () => Promise<unknown> },
    ) => new Set(await expectRefused({ path, headers: { cookie, accept: 'text/html' } }, revoke));
    const lower = () => change(lowered.id, { role: 'viewer' });
    expect(await statusesAfter(lowered, { path: '/console/users/new', revoke: lower })).toEqual(
      new Set([403]),
    );
    for (const [member, revoke] of [
      [disabled, () => change(disabled.id, { status: 'disabled' })],
      [left, () => left.browser.post('/console/sign-out', {})],
      [removed, () => call('DELETE', `/v1/client/staff/${removed.id}`)],
    ] as const)
      expect(await statusesAfter(member, { path: '/console/cases', revoke })).toEqual(new Set([401]));
  });

  it('takes effect within 2 s, or is 503, if the bus is frozen or cut; and all serve again when it is back', async () => {
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
  });

  it('takes effect within 2 s, or is 503, if identity is killed at that moment', async () => {
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
  });

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
  });

  /** An editor with an open page. */
  async function aMember(firm: PartnerWithKey) {
    const dev = system.dev();
    const email = `revoked.${randomUUID()}@firm.example`;
    const invited = { email, name: 'Vera Vance', role: 'editor' };
    const { body } = await createPartner(dev, firm).call<{ staff_member: { id: number } }>(
      'POST',
      '/v1/client/staff',
      invited,
    );
    const browser = createPersonBrowser(dev);
    await browser.post('/console/invitation', { token: await invitationTo(dev, email) });
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { id: body.staff_member.id, browser, cookie };
  }

  async function aPerson(partner: PartnerKeys) {
    const dev = system.dev();
    const { id, email } = await createPartner(dev, partner).verifiedUser();
    const { access_token } = await signIn(dev, email);
    return { id, path: `/v1/users/${id}`, headers: bearer(access_token) };
  }
});
