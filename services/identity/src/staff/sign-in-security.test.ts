import type { Bus } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import { home, memberSignIn } from '../../test/support/members.ts';
import type { TestNotifier } from '../../test/support/notifier.ts';
import { admin, makePartner, someAddress, type TestPartner } from '../../test/support/people.ts';
import { someNetworkAddress } from '../../test/support/sign-in.ts';
import type { TestIdentity } from '../../test/support/start-identity.ts';
import { useIdentity } from '../../test/support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
let gateway: Bus;
useIdentity((started) => ({ identity, notifier, partner, gateway } = started));

const { makeMember, codeFor, enter, signIn } = memberSignIn(() => ({
  identity,
  notifier,
  gateway,
  partner,
}));

const verify = (token: string) => gateway.request('identity.staff_session', { token });
const renew = (token: string) => gateway.request('identity.renew_staff_session', { token });
const sessions = () => identity.db.collection<{ _id: string; ended_at: Date | null }>('staff_sessions');
const revocationsSince = async (since: number) =>
  JSON.stringify(await gateway.request('identity.revocations', { since }));
const revision = async () => (await gateway.request('identity.revocations', { since: null })).revision;
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'ok',
    (error: { code: string }) => error.code,
  );

// What the sign-in of people promises (services/identity/test/http/sign-in, test/limits) holds for members, too.

describe('a code of a member', () => {
  it('is bound to its request, its address and its ten minutes', async () => {
    const [one, other] = [await makeMember(), await makeMember()];
    const [asked, foreign] = [await codeFor(one.email), await codeFor(other.email)];
    expect(await codeOf(enter({ ...asked, request_id: foreign.request_id }))).toBe('invalid_login_code');
    expect(await codeOf(enter({ ...asked, email: other.email }))).toBe('invalid_login_code');
    expect(await codeOf(enter({ ...foreign, request_id: null }))).toBe('invalid_login_code');
    const challenges = identity.db.collection<{ _id: string }>('login_challenges');
    const expires_at = new Date(Date.now() - 1_000);
    await challenges.updateOne({ _id: asked.request_id }, { $set: { expires_at } });
    expect(await codeOf(enter(asked))).toBe('invalid_login_code');
    expect(await codeOf(enter(foreign))).toBe('ok');
  });

  it('is asked for fifteen times an hour from networks that nobody signed in from, known or unknown, and the member has an own limit', async () => {
    const { email } = await makeMember();
    const ask = (to: string, address: string) =>
      gateway.request('identity.request_staff_code', { email: to, address });
    await enter(await codeFor(email, home), home);
    const exhaust = async (to: string) => {
      let taken = 0;
      for (;;) {
        const code = await codeOf(ask(to, someNetworkAddress()));
        if (code === 'rate_limited') return taken;
        // Anything else is no limit: a machine that is too busy must not look like one.
        expect(code).toBe('ok');
        taken++;
      }
    };
    // One was asked for at home before it was known.
    expect([await exhaust(email), await exhaust(someAddress())]).toEqual([14, 15]);
    expect(await codeOf(ask(email, home))).toBe('ok');
  });

  it('stands nowhere in clear, as little as a token', async () => {
    const { email } = await makeMember();
    const asked = await codeFor(email);
    const { session } = await enter(asked);
    const names = (await identity.db.listCollections().toArray()).map(({ name }) => name);
    const rows = await Promise.all(names.map((name) => identity.db.collection(name).find().toArray()));
    const stored = JSON.stringify(rows);
    expect(stored).toContain(asked.request_id);
    const [, , mac = 'none'] = session?.token.split('.') ?? [];
    expect([stored.includes(mac), stored.includes(session?.token ?? 'none')]).toEqual([false, false]);
    expect(stored).not.toMatch(new RegExp(`"${asked.code}"`));
  });
});

describe('a stolen or old session of a member', () => {
  it('gives one successor to ten tabs at the same time', async () => {
    const { email } = await makeMember();
    const { token, session_id } = await signIn(email);
    const tokens = await Promise.all(Array.from({ length: 10 }, () => renew(token)));
    expect(new Set(tokens.map((each) => each.token)).size).toBe(1);
    expect(await sessions().findOne({ _id: session_id })).toMatchObject({ generation: 2 });
  });

  it('refuses what was not made here', async () => {
    const { email } = await makeMember();
    const { token } = await signIn(email);
    const [id, , mac] = token.split('.');
    for (const forged of [`${id}.2.${mac}`, 'x', `${id}.1.`, `${token}x`])
      expect([forged, await codeOf(verify(forged))]).toEqual([forged, 'console_session_ended']);
    expect(await codeOf(verify(token))).toBe('ok');
  });

  /** Each question that takes a token. */
  const uses: [string, (token: string) => Promise<unknown>][] = [
    ['a page', verify],
    ['a renewal', renew],
    ['the page of the own sessions', (token) => gateway.request('identity.staff_sessions', { token })],
    [
      'the button that ends another session',
      (token) => gateway.request('identity.end_other_staff_session', { token, session_id: 'another' }),
    ],
  ];

  it.each(uses)(
    'ends where a token that was replaced is used again, by %s, and gateways are told',
    async (_what, use) => {
      const { email } = await makeMember();
      const { token, session_id } = await signIn(email);
      const { token: successor } = await renew(token);
      const { token: second } = await renew(successor);
      const before = await revision();
      // Two generations old: no tab of the member has it any more.
      expect(await codeOf(use(token))).toBe('console_session_ended');
      expect(await revocationsSince(before)).toContain(session_id);
      expect(await codeOf(verify(second))).toBe('console_session_ended');
      expect((await sessions().findOne({ _id: session_id }))?.ended_at).toBeInstanceOf(Date);
    },
  );

  it.each(uses)(
    'shows nothing to the thief and ends, though the token was replaced only once, half a minute later: %s',
    async (_what, use) => {
      const { email } = await makeMember();
      const { token, session_id } = await signIn(email);
      await renew(token);
      const rotated_at = new Date(Date.now() - 31_000);
      await sessions().updateOne({ _id: session_id }, { $set: { rotated_at } });
      expect(await codeOf(use(token))).toBe('console_session_ended');
      expect((await sessions().findOne({ _id: session_id }))?.ended_at).toBeInstanceOf(Date);
    },
  );

  it('is over with the member who is disabled, also once the member is active again', async () => {
    const { id, email } = await makeMember();
    const { token } = await signIn(email);
    const put = (body: object) => identity.call('PUT', `/v1/client/staff/${id}`, { as: partner.as, body });
    expect((await put({ status: 'disabled' })).status).toBe(200);
    expect((await put({ status: 'active' })).status).toBe(200);
    expect(await codeOf(verify(token))).toBe('console_session_ended');
    expect(await codeOf(renew(token))).toBe('console_session_ended');
  });

  it('opens not beside a disabling: of both at the same time, no session is left', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, email } = await makeMember();
      const asked = await codeFor(email);
      const [entered] = await Promise.allSettled([
        enter(asked),
        identity.call('PUT', `/v1/client/staff/${id}`, { as: partner.as, body: { status: 'disabled' } }),
      ]);
      const token = entered.status === 'fulfilled' ? entered.value.session?.token : undefined;
      if (token !== undefined) expect(await codeOf(verify(token))).toBe('console_session_ended');
      expect(await sessions().countDocuments({ staff_id: id, ended_at: null })).toBe(0);
    }
  });
});

describe('the erasure of a member', () => {
  it('forgets where the member signed in, but not where another member with the same address did', async () => {
    const firm = await makePartner(identity, 'Same Address Firm');
    const { id, email } = await makeMember();
    await enter(await codeFor(email), home);
    await identity.call('DELETE', `/v1/client/staff/${id}`, { as: partner.as });
    const other = await makeMember(firm, 'viewer', email);
    await enter(await codeFor(email), home);
    await admin(identity, 'staff', 'erase', '--staff', String(id));
    expect(await sessions().countDocuments({ staff_id: id })).toBe(0);
    const told = () => identity.db.collection('staff_notices').countDocuments({ staff_id: other.id });
    const before = await told();
    await enter(await codeFor(email), home);
    expect(await told()).toBe(before);
    // With the last of them the places go.
    await identity.call('DELETE', `/v1/client/staff/${other.id}`, { as: firm.as });
    await admin(identity, 'staff', 'erase', '--staff', String(other.id));
    const again = await makeMember(firm, 'viewer', email);
    await enter(await codeFor(email), home);
    expect(await identity.db.collection('staff_notices').countDocuments({ staff_id: again.id })).toBe(1);
  });
});
