import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../../test/support/notifier.ts';
import {
  admin,
  makePartner,
  makeUser,
  someAddress,
  type TestPartner,
  userOf,
  type WireUser,
} from '../../test/support/people.ts';
import { someNetworkAddress } from '../../test/support/sign-in.ts';
import type { TestIdentity } from '../../test/support/start-identity.ts';
import { useIdentity } from '../../test/support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
useIdentity((started) => ({ identity, notifier, partner } = started));

const dayMs = 24 * 3_600_000;
type Row = {
  _id: string;
  user_id: number;
  email_lower: string;
  void_at: Date | null;
  created_at: Date;
  expires_at: Date;
  delivery: { status: string; next_at: Date; attempts: number; sent_at: Date | null };
};
const rows = () => identity.db.collection<Row>('verification_reminders');
const rowsOf = (userId: number) => rows().find({ user_id: userId }).sort({ created_at: 1 }).toArray();

/** As if the days had passed: the database's clock says that it is due. */
const makeDue = async ({ _id }: Row) => {
  const set = { 'delivery.next_at': new Date(Date.now() - 1_000), 'delivery.status': 'queued' };
  await rows().updateOne({ _id }, { $set: set });
};
/** As if the first reminder had been sent some days before. */
const sentBefore = async ({ _id }: Row, days: number) => {
  const set = { 'delivery.sent_at': new Date(Date.now() - days * dayMs) };
  await rows().updateOne({ _id }, { $set: set });
};
/** A row that was found due and has to wait longer. @returns for how many days */
const postponed = async ({ _id }: Row) => {
  const isLater = async () => {
    const row = await rows().findOne({ _id });
    const { status, next_at } = row?.delivery ?? {};
    const days = (Number(next_at) - Date.now()) / dayMs;
    // A claim takes seconds.
    return status === 'queued' && days > 1 / 1_440 && row && { row, days };
  };
  return await waitFor(isLater, { what: 'a reminder that waits', timeoutMs: 30_000 });
};
const statusOf = async ({ _id }: Row) => (await rows().findOne({ _id }))?.delivery.status;
const settled = async (row: Row) =>
  await waitFor(async () => (await statusOf(row)) !== 'queued' && (await statusOf(row)), {
    what: 'the end of a reminder',
    timeoutMs: 30_000,
  });
const remindersTo = (email: string) =>
  notifier.sent.filter((mail) => mail.kind === 'verify_reminder' && mail.to === email);
const linkOf = (mail: object | undefined) =>
  new URL(mail && 'link' in mail ? String(mail.link) : 'none:').searchParams.get('token') ?? '';
const verify = (token: string) => identity.call('POST', '/v1/users/verify-email', { body: { token } });

async function client(fields: Record<string, unknown> = {}): Promise<{ user: WireUser; due: Row[] }> {
  const user = await makeUser(identity, partner, { preferred_language: 'es', ...fields });
  return { user, due: await rowsOf(user.id) };
}

describe('a client who has not confirmed the address', () => {
  it('is reminded after 3 and after 10 days, and then no more', async () => {
    const { user, due } = await client();
    const sent = (await identity.db.collection('email_verifications').findOne({ user_id: user.id }))
      ?.created_at;
    expect(due).toHaveLength(2);
    for (const [i, days] of [3, 10].entries()) {
      const late = Number(due[i]?.delivery.next_at) - Number(sent) - days * dayMs;
      expect(Math.abs(late)).toBeLessThan(60_000);
    }
    expect(remindersTo(user.email)).toEqual([]);
    for (const [i, row] of due.entries()) {
      await makeDue(row);
      expect(await settled(row)).toBe('sent');
      expect(remindersTo(user.email)).toHaveLength(i + 1);
      const link = (await rows().findOne({ _id: row._id }))?.expires_at;
      expect(Math.abs(Number(link) - Date.now() - 2 * dayMs)).toBeLessThan(60_000);
      await sentBefore(row, 7);
    }
    expect(remindersTo(user.email)[0]).toMatchObject({ language: 'es', partner: { name: 'Law Firm' } });
  });

  it('gets no third reminder, also of a verification mail months later', async () => {
    const { user, due } = await client();
    for (const row of due) {
      await makeDue(row);
      expect(await settled(row)).toBe('sent');
      await sentBefore(row, 100);
      const long = new Date(Date.now() - 90 * dayMs);
      await rows().updateOne({ _id: row._id }, { $set: { created_at: long, expires_at: long } });
    }
    // MongoDB deletes by an index alone, and there is none: the rows stay and say that there were reminders.
    const indexes = await rows().indexes();
    expect(indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined)).toEqual([]);
    const body = { email: user.email };
    await identity.call('POST', '/v1/client/users/resend-verification', { as: partner.as, body });
    expect((await rowsOf(user.id)).map(({ delivery }) => delivery.status)).toEqual(['sent', 'sent']);
  });

  it('gets both apart and in their order, where a clock jumped or nobody could send for days', async () => {
    const { user, due } = await client();
    const [first, second] = due as [Row, Row];
    await makeDue(second);
    expect((await postponed(second)).days).toBeCloseTo(3, 1);
    await makeDue(first);
    expect(await settled(first)).toBe('sent');
    await sentBefore(first, 1);
    await makeDue(second);
    expect((await postponed(second)).days).toBeCloseTo(2, 1);
    expect(remindersTo(user.email)).toHaveLength(1);
    await sentBefore(first, 3);
    await makeDue(second);
    expect(await settled(second)).toBe('sent');
    expect(remindersTo(user.email)).toHaveLength(2);
  });

  it('gets it also weeks late, with a link that works from then on', async () => {
    const { user, due } = await client();
    const [row] = due as [Row, Row];
    // The row of somebody who made no progress for 20 days: its end moves with its beginning.
    const before = new Date(Date.now() - 20 * dayMs);
    await rows().updateOne(
      { _id: row._id },
      { $set: { created_at: before, expires_at: new Date(before.getTime() + 30 * dayMs) } },
    );
    await makeDue(row);
    expect(await settled(row)).toBe('sent');
    expect((await verify(linkOf(remindersTo(user.email)[0]))).body).toMatchObject({ verified: true });
  });

  it('confirms it with the link of a reminder, and of no other row', async () => {
    const { user, due } = await client();
    await makeDue(due[0] as Row);
    await settled(due[0] as Row);
    const token = linkOf(remindersTo(user.email)[0]);
    const [id, mac] = token.split('.');
    expect(id).toBe(due[0]?._id);
    expect((await verify(`${due[1]?._id}.${mac}`)).status).toBe(400);
    expect((await verify(token)).body).toMatchObject({ verified: true, already_verified: false });
  });

  it('is reminded once where a process died after the notifier took it', async () => {
    const { user, due } = await client();
    await makeDue(due[0] as Row);
    await settled(due[0] as Row);
    await makeDue(due[0] as Row);
    await settled(due[0] as Row);
    const ids = remindersTo(user.email).map(({ message_id }) => message_id);
    // The notifier sends each id once.
    expect(new Set(ids)).toEqual(new Set([`reminder-${due[0]?._id}`]));
    // And the second time took no place in the limit of the recipient.
    const key = { _id: { $regex: '^recipient-hour:' } };
    const before = await identity.db
      .collection('rate_limits')
      .find(key as never)
      .toArray();
    await makeDue(due[0] as Row);
    await settled(due[0] as Row);
    expect(
      await identity.db
        .collection('rate_limits')
        .find(key as never)
        .toArray(),
    ).toEqual(before);
  });

  const stops: [string, (user: WireUser) => Promise<unknown>][] = [
    ['confirmed it', async ({ email }) => await verify(linkOf(await notifier.mailTo(email)))],
    ['was deactivated', (user) => put(user, { status: 'inactive' })],
    ['was suspended', (user) => put(user, { status: 'suspended' })],
    ['gets no e-mails about cases', (user) => put(user, { notify_by_email: false })],
    ['got another address', (user) => put(user, { email: someAddress() })],
  ];
  const put = (user: WireUser, body: object) =>
    identity.call('PUT', `/v1/client/users/${user.id}`, { as: partner.as, body });

  it.each(stops)('is not reminded who %s', async (_what, stop) => {
    const { user, due } = await client();
    await notifier.mailTo(user.email);
    await stop(user);
    for (const row of due) {
      await makeDue(row);
      // Reminders of another address are not kept.
      if ((await rows().countDocuments({ _id: row._id })) > 0) expect(await settled(row)).toBe('skipped');
    }
    expect(remindersTo(user.email)).toEqual([]);
  });

  it('is reminded again at another address', async () => {
    const { user } = await client();
    const email = someAddress();
    await put(user, { email });
    const due = await rows().find({ email_lower: email }).sort({ created_at: 1 }).toArray();
    expect(due).toHaveLength(2);
    await makeDue(due[0] as Row);
    expect(await settled(due[0] as Row)).toBe('sent');
    expect(remindersTo(email)).toHaveLength(1);
  });

  it('is not reminded after the deletion', async () => {
    const { user } = await client();
    await identity.call('DELETE', `/v1/client/users/${user.id}`, { as: partner.as });
    expect(await rowsOf(user.id)).toEqual([]);
  });

  it('is reminded by a partner that was suspended once it is active again, if that is still wanted', async () => {
    const [waits, proves] = [await client(), await client()];
    const id = String(partner.as.partner_id);
    await admin(identity, 'partner', 'suspend', '--partner', id);
    for (const { due } of [waits, proves]) {
      await makeDue(due[0] as Row);
      const { row, days } = await postponed(due[0] as Row);
      expect(days).toBeCloseTo(1 / 24, 2);
      // Nobody is late: no alarm of waiting mails, and no end before it is sent.
      expect(row.created_at).toEqual(row.delivery.next_at);
      expect(Number(row.expires_at) - Number(row.created_at)).toBeGreaterThan(29 * dayMs);
    }
    expect([...remindersTo(waits.user.email), ...remindersTo(proves.user.email)]).toEqual([]);
    await verify(linkOf(await notifier.mailTo(proves.user.email)));
    await admin(identity, 'partner', 'reactivate', '--partner', id);
    await makeDue(waits.due[0] as Row);
    await makeDue(proves.due[0] as Row);
    expect(await settled(waits.due[0] as Row)).toBe('sent');
    expect(await settled(proves.due[0] as Row)).toBe('skipped');
    expect(remindersTo(waits.user.email)).toHaveLength(1);
    expect(remindersTo(proves.user.email)).toEqual([]);
  });

  it('is not reminded by a partner whose mails come to addresses that nobody confirmed, too', async () => {
    const { user, due } = await client();
    const set = ['partner', 'set', '--partner', String(partner.as.partner_id), '--notify-unverified'];
    await admin(identity, ...set, 'yes');
    await makeDue(due[0] as Row);
    expect(await settled(due[0] as Row)).toBe('skipped');
    await admin(identity, ...set, 'no');
    expect(remindersTo(user.email)).toEqual([]);
    await makeDue(due[1] as Row);
    expect(await settled(due[1] as Row)).toBe('sent');
  });

  it('is reminded, too, where the recipient had enough mails when the first one was to be sent', async () => {
    const email = someAddress();
    const others = ['first', 'second', 'third'].map((name) => makePartner(identity, name));
    for (const other of await Promise.all(others)) await makeUser(identity, other, { email });
    const body = { email, name: 'Maria Silva' };
    const reply = await identity.call('POST', '/v1/client/users', { as: partner.as, body });
    expect(reply.body).toMatchObject({ verification_delivery: { reason: 'recipient_limit' } });
    const due = await rowsOf(userOf(reply).id);
    expect(due.map(({ delivery }) => delivery.status)).toEqual(['queued', 'queued']);
    const key = { _id: { $regex: '^recipient-hour:' } } as never;
    await identity.db.collection('rate_limits').deleteMany(key);
    await makeDue(due[0] as Row);
    expect(await settled(due[0] as Row)).toBe('sent');
    expect(remindersTo(email)).toHaveLength(1);
  });

  it('takes no place in the hour of a recipient whose day is used up', async () => {
    const { user, due } = await client();
    const limits = identity.db.collection<{ _id: string; hits: Date[] }>('rate_limits');
    const day = { _id: { $regex: '^recipient-day:' } };
    await limits.updateMany(day, [{ $set: { hits: Array.from({ length: 10 }, () => '$$NOW') } }]);
    const hours = async () =>
      (await limits.find({ _id: { $regex: '^recipient-hour:' } }).toArray()).map(({ hits }) => hits.length);
    const before = await hours();
    await makeDue(due[0] as Row);
    expect((await postponed(due[0] as Row)).days).toBeGreaterThan(0.9);
    expect(await hours()).toEqual(before);
    expect(remindersTo(user.email)).toEqual([]);
    await limits.deleteMany(day);
  });

  it('waits while the recipient has had enough mails', async () => {
    const { user, due } = await client();
    const key = { _id: { $regex: '^recipient-hour:' } } as never;
    const full = [{ $set: { hits: ['$$NOW', '$$NOW', '$$NOW'] } }];
    await identity.db.collection('rate_limits').updateMany(key, full);
    await makeDue(due[0] as Row);
    expect((await postponed(due[0] as Row)).days).toBeLessThan(1 / 20);
    expect(remindersTo(user.email)).toEqual([]);
    await identity.db.collection('rate_limits').deleteMany(key);
    await makeDue(due[0] as Row);
    expect(await settled(due[0] as Row)).toBe('sent');
    expect(remindersTo(user.email)).toHaveLength(1);
  });
});

describe('whom nobody vouches for', () => {
  it('is not reminded: a sign-up without a partner', async () => {
    const email = someAddress();
    await identity.call('POST', '/v1/users', { body: { email, name: 'Ana' }, address: someNetworkAddress() });
    await notifier.mailTo(email);
    expect(await rows().countDocuments({ email_lower: email })).toBe(0);
  });
});
