import { shiftWallClock, waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../support/notifier.ts';
import { makeUser, someAddress, type TestPartner } from '../support/people.ts';
import { asSession } from '../support/session-of.ts';
import { signIn } from '../support/sign-in.ts';
import type { TestIdentity } from '../support/start-identity.ts';
import { useIdentity } from '../support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
const keptDays = 60 / 86_400;
// Kept for a minute, and looked for every six seconds.
useIdentity(
  (started) => {
    ({ identity, notifier, partner } = started);
  },
  { SIGN_UP_KEPT_DAYS: String(keptDays) },
);

const users = () => identity.db.collection('users');
const signUp = async (address = '2001:db8::1') => {
  const email = someAddress();
  await identity.call('POST', '/v1/users', { body: { email, name: 'Direct' }, address });
  await notifier.mailTo(email);
  const row = await users().findOne({ email });
  return { id: Number(row?._id), email };
};
const isThere = async ({ id }: { id: number }) => (await users().findOne({ _id: id as never })) !== null;

describe('sign-ups that nobody proves', () => {
  it('are erased after their time, with the event; whoever ever proved an address stays', async () => {
    const [typed, fresh, linked, moved] = [await signUp(), await signUp(), await signUp(), await signUp()];
    const ofPartner = await makeUser(identity, partner);
    const mail = await notifier.mailTo(linked.email);
    const link = new URL('link' in mail ? mail.link : '');
    const headers = { accept: 'application/json' };
    expect((await identity.call('GET', link.pathname + link.search, { headers })).status).toBe(200);
    const as = asSession(moved, await signIn(identity, notifier, moved), null);
    const body = { email: someAddress() };
    expect((await identity.call('PUT', `/v1/users/${moved.id}`, { as, body })).status).toBe(200);

    const old = { $set: { created_at: new Date(Date.now() - 3_600_000) } };
    for (const { id } of [typed, linked, moved, ofPartner])
      await users().updateOne({ _id: id as never }, old);
    await waitFor(async () => !(await isThere(typed)), { timeoutMs: 30_000, what: 'the sweep' });
    for (const user of [fresh, linked, moved, ofPartner]) expect(await isThere(user)).toBe(true);
    for (const type of ['user.deleted', 'erasure.recorded']) {
      const events = await identity.db.collection('outbox').find({ type }).toArray();
      expect(events.map((event) => JSON.parse(String(event.body)).data.user_id)).toEqual([typed.id]);
    }
    const verifications = identity.db.collection('email_verifications');
    expect(await verifications.countDocuments({ user_id: typed.id })).toBe(0);
  });

  it('are judged by the time of the database: a machine that is a year ahead erases nobody', async () => {
    const fresh = await signUp('2001:db8:1::1');
    const old = await signUp('2001:db8:1::1');
    const setRight = shiftWallClock(365 * 86_400_000);
    try {
      const long = new Date(performance.timeOrigin + performance.now() - 3_600_000);
      await users().updateOne({ _id: old.id as never }, { $set: { created_at: long } });
      // The same sweep finds both, and goes from the oldest on.
      await waitFor(async () => !(await isThere(old)), { timeoutMs: 40_000, what: 'the sweep' });
      expect(await isThere(fresh)).toBe(true);
    } finally {
      setRight();
    }
  });
});
