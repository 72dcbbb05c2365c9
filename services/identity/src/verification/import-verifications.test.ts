import type { ReplyData } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import { connectAs } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { makePartner, makeUser, someAddress, type TestPartner } from '../../test/support/people.ts';
import type { TestIdentity } from '../../test/support/start-identity.ts';
import { useIdentity } from '../../test/support/use-identity.ts';

let identity: TestIdentity;
let cases: Bus;
// A twentieth of 200 an hour.
useIdentity((started) => ({ identity } = started), { RATE_LIMIT_SCALE: '0.05' });
const anHour = 10;
beforeAll(async () => {
  cases = await connectAs(identity.nats, 'cases');
});
afterAll(async () => {
  await cases.stop();
});

/** As if the mails so far had been sent an hour earlier. */
async function anHourLater(): Promise<void> {
  const earlier = { $map: { input: '$hits', in: { $subtract: ['$$this', 60 * 60 * 1_000] } } };
  await identity.db.collection('rate_limits').updateMany({}, [{ $set: { hits: earlier } }]);
}

describe('verification mails to the people of an import', () => {
  let firm: TestPartner;
  let since: string;
  let row: number;
  beforeEach(async () => {
    firm = await makePartner(identity, 'Moving Firm');
    since = new Date().toISOString();
    row = 0;
  });

  /** A row of the import. @returns its person */
  async function imported({ email = someAddress(), send_verification = false } = {}): Promise<number> {
    row += 1;
    const person = { email, name: 'Ana', phone: null, preferred_language: null };
    const { user_id, outcome } = await cases.request('identity.upsert_person', {
      partner_id: firm.as.partner_id,
      actor: { key_id: firm.as.key_id, staff_id: null },
      key: `import:${firm.as.partner_id}:${row}`,
      writes: true,
      expected: null,
      earlier: [],
      person: { ...person, notify_by_email: null, notify_by_whatsapp: null },
      send_verification,
    });
    expect(outcome).toBe('created');
    return Number(user_id);
  }
  async function several(count: number, send_verification = false): Promise<number[]> {
    const ids: number[] = [];
    for (let i = 0; i < count; i += 1) ids.push(await imported({ send_verification }));
    return ids;
  }
  const of = () => ({ partner_id: firm.as.partner_id, since });
  const unverified = (user_ids: number[]) => cases.request('identity.unverified', { ...of(), user_ids });
  const send = (user_ids: number[]) => cases.request('identity.send_verifications', { ...of(), user_ids });
  const mailsOf = async (ids: number[]) => {
    const rows = await identity.db
      .collection('email_verifications')
      .find({ user_id: { $in: ids } })
      .toArray();
    return ids.map((id) => rows.filter(({ user_id }) => user_id === id).length);
  };
  const each = (ids: number[], count: number) => ids.map(() => count);

  it('are as many as an hour allows; a second command goes on with the rest, and nobody gets two', async () => {
    const ids = await several(anHour + 5);
    expect(await unverified(ids)).toEqual({ unverified: ids.length, unsent: ids });
    const first = await send(ids);
    expect(first).toEqual({ sent: anHour, left: 5, next_at: expect.any(String) });
    const waitMs = Date.parse(String(first.next_at)) - Date.now();
    expect(waitMs).toBeGreaterThan(30 * 60 * 1_000);
    expect(waitMs).toBeLessThanOrEqual(60 * 60 * 1_000);
    expect(await send(ids)).toMatchObject({ sent: 0, left: 5 });
    const rest = ids.slice(anHour);
    expect(await unverified(ids)).toEqual({ unverified: ids.length, unsent: rest });
    await anHourLater();
    expect(await send(ids)).toEqual({ sent: 5, left: 0, next_at: null });
    expect(await unverified(ids)).toEqual({ unverified: ids.length, unsent: [] });
    await anHourLater();
    expect(await send(ids)).toEqual({ sent: 0, left: 0, next_at: null });
    expect(await mailsOf(ids)).toEqual(each(ids, 1));
  });

  it('of commands in parallel are one for each person', async () => {
    const ids = await several(6);
    const answers: ReplyData<'identity.send_verifications'>[] = await Promise.all([
      send(ids),
      send(ids),
      send(ids.toReversed()),
    ]);
    expect(answers.reduce((sum, { sent }) => sum + sent, 0)).toBe(ids.length);
    expect(answers.map(({ left }) => left)).toEqual([0, 0, 0]);
    expect(await mailsOf(ids)).toEqual(each(ids, 1));
  });

  it('go to whom the import itself sent none, because its hour was full', async () => {
    const ids = await several(anHour + 3, true);
    expect(await mailsOf(ids)).toEqual([...each(ids.slice(3), 1), 0, 0, 0]);
    expect(await unverified(ids)).toEqual({ unverified: ids.length, unsent: ids.slice(-3) });
    await anHourLater();
    expect(await send(ids)).toEqual({ sent: 3, left: 0, next_at: null });
    expect(await mailsOf(ids)).toEqual(each(ids, 1));
  });

  it('go to nobody who has verified the address, is inactive, wants no mails, or is of another firm', async () => {
    const [verified, inactive, silent, asked] = (await several(4)) as [number, number, number, number];
    const users = identity.db.collection<{ _id: number }>('users');
    await users.updateOne({ _id: verified }, { $set: { email_verified_at: new Date() } });
    const change = async (id: number, body: object) =>
      expect((await identity.call('PUT', `/v1/client/users/${id}`, { as: firm.as, body })).status).toBe(200);
    await change(inactive, { status: 'inactive' });
    await change(silent, { notify_by_email: false });
    const other = await makePartner(identity, 'Other Firm');
    const stranger = await makeUser(identity, other, { send_verification: false });
    const ids = [verified, inactive, silent, asked, stranger.id];
    expect(await unverified(ids)).toEqual({ unverified: 1, unsent: [asked] });
    expect(await send(ids)).toEqual({ sent: 1, left: 0, next_at: null });
    expect(await mailsOf(ids)).toEqual([0, 0, 0, 1, 0]);
  });

  it('wait where the address got too many mails of anybody, and hold up nobody', async () => {
    const email = someAddress();
    // At this scale one mail an hour.
    await makeUser(identity, await makePartner(identity, 'Same Family'), { email });
    const [full, free] = [await imported({ email }), await imported()];
    expect(await send([full, free])).toEqual({ sent: 1, left: 1, next_at: null });
    expect(await mailsOf([full, free])).toEqual([0, 1]);
    await anHourLater();
    await identity.db.collection('rate_limits').deleteMany({ _id: /^recipient-day/ as never });
    expect(await send([full, free])).toEqual({ sent: 1, left: 0, next_at: null });
    expect(await mailsOf([full, free])).toEqual([1, 1]);
  });

  it('go once more to who is in a later import and still has not verified', async () => {
    const [id] = (await several(1)) as [number];
    expect(await send([id])).toMatchObject({ sent: 1 });
    const earlier = { verification_queued_at: new Date(Date.now() - 60 * 60 * 1_000) };
    await identity.db.collection('users').updateOne({ _id: id as never }, { $set: earlier });
    since = new Date().toISOString();
    await anHourLater();
    await identity.db.collection('rate_limits').deleteMany({ _id: /^recipient-day/ as never });
    expect(await send([id])).toMatchObject({ sent: 1 });
    expect(await send([id])).toMatchObject({ sent: 0, left: 0 });
  });
});
