import { describe, expect, it } from '@jest/globals';
import { asksFor, confirm, signedIn, tokenOfNew } from '../../support/changing-address.ts';
import type { TestNotifier } from '../../support/notifier.ts';
import {
  admin,
  makeUser,
  someAddress,
  type TestPartner,
  untilAnswered,
  type WireUser,
} from '../../support/people.ts';
import { endOf, revocationsOf } from '../../support/session-of.ts';
import { requestCode, type SignedIn, signIn } from '../../support/sign-in.ts';
import type { TestIdentity } from '../../support/start-identity.ts';
import { useIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
useIdentity((started) => {
  ({ identity, notifier, partner } = started);
});

const byPartner = (user: WireUser, body: unknown) =>
  untilAnswered(() => identity.call('PUT', `/v1/client/users/${user.id}`, { as: partner.as, body }));
const world = () => ({ identity, notifier });
const refresh = ({ refreshToken }: SignedIn) =>
  identity.call('POST', '/v1/auth/token', {
    body: { grant_type: 'refresh_token', refresh_token: refreshToken },
  });

/** What ends sessions, and what gateways are told of it. */
const ends: [string, (user: WireUser, session: SignedIn) => Promise<unknown>][] = [
  ['a suspension by the partner', (user) => byPartner(user, { status: 'suspended' })],
  ['a suspension by the operator', (user) => admin(identity, 'user', 'suspend', '--user', String(user.id))],
  ['a change of address by the partner', (user) => byPartner(user, { email: someAddress() })],
  [
    'a deletion by the partner',
    (user) => identity.call('DELETE', `/v1/client/users/${user.id}`, { as: partner.as }),
  ],
];

/** Four rounds at the same time, because each waits for mails. */
const inRounds = (round: () => Promise<void>) => Promise.all(Array.from({ length: 4 }, round));

describe('a session', () => {
  it.each(ends)('ends by %s, and gateways are told', async (_what, end) => {
    const user = await makeUser(identity, partner);
    const session = await signIn(identity, notifier, user);
    const before = await revocationsOf(identity);
    await end(user, session);
    expect([401, 403]).toContain((await refresh(session)).status);
    const row = await identity.db.collection('sessions').findOne({ _id: session.sessionId as never });
    expect(row === null || row.ended_at instanceof Date).toBe(true);
    expect((await revocationsOf(identity)).slice(before.length)).toEqual([`user:${user.id}`]);
  });

  it('ends by a change of address by the person, once the new one is proven', async () => {
    const { user, session, prove } = await changeByPerson();
    const before = await revocationsOf(identity);
    expect(await endOf(identity, session)).toBeNull();
    expect((await confirm(identity, prove)).status).toBe(200);
    expect(await endOf(identity, session)).toBeInstanceOf(Date);
    expect((await revocationsOf(identity)).slice(before.length)).toEqual([`user:${user.id}`]);
  });

  it('never begins at the old address beside the change of it', async () => {
    await inRounds(async () => {
      const { user, prove } = await changeByPerson();
      const { code, requestId } = await requestCode(identity, notifier, user.email);
      const body = { email: user.email, code, request_id: requestId };
      const [begun, confirmed] = await Promise.all([
        untilAnswered(() => identity.call('POST', '/v1/auth/token', { body })),
        confirm(identity, prove),
      ]);
      expect([confirmed.status, [200, 401].includes(begun.status)]).toEqual([200, true]);
      const live = { user_id: user.id, ended_at: null };
      expect(await identity.db.collection('sessions').countDocuments(live)).toBe(0);
    });
  });

  /** A person asked for another address. */
  async function changeByPerson() {
    const user = await makeUser(identity, partner);
    const person = await signedIn(world(), user, partner.as.partner_id);
    const email = someAddress();
    expect((await asksFor(world(), person, email)).status).toBe(200);
    return { user, session: person.session, prove: await tokenOfNew(world(), email) };
  }

  it('ends by a refresh token that was used before, and gateways are told', async () => {
    const user = await makeUser(identity, partner);
    const session = await signIn(identity, notifier, user);
    const second = String((await refresh(session)).body.refresh_token);
    await refresh({ ...session, refreshToken: second });
    expect((await refresh(session)).body.code).toBe('refresh_token_reused');
    expect(await endOf(identity, session)).toBeInstanceOf(Date);
    expect((await revocationsOf(identity)).at(-1)).toBe(`session:${session.sessionId}`);
  });

  it('does not end by a change of anything else', async () => {
    const user = await makeUser(identity, partner);
    const session = await signIn(identity, notifier, user);
    const before = await revocationsOf(identity);
    await byPartner(user, { name: 'Ana', status: 'inactive', email: user.email.toUpperCase() });
    expect(await endOf(identity, session)).toBeNull();
    expect(await revocationsOf(identity)).toEqual(before);
  });

  it('never begins beside what ends them: a suspension or a change of address at the same moment', async () => {
    for (const change of [() => ({ status: 'suspended' }), () => ({ email: someAddress() })]) {
      await inRounds(async () => {
        const user = await makeUser(identity, partner);
        await signIn(identity, notifier, user);
        const { code, requestId } = await requestCode(identity, notifier, user.email);
        const body = { email: user.email, code, request_id: requestId };
        const [signedIn, changed] = await Promise.all([
          untilAnswered(() => identity.call('POST', '/v1/auth/token', { body })),
          byPartner(user, change()),
        ]);
        expect(changed.status).toBe(200);
        expect([200, 401, 403]).toContain(signedIn.status);
        const live = await identity.db
          .collection('sessions')
          .countDocuments({ user_id: user.id, ended_at: null });
        expect(live).toBe(0);
      });
    }
  });
});
