import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../../test/support/notifier.ts';
import { admin, makeUser, someAddress, type TestPartner, type WireUser } from '../../test/support/people.ts';
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
  delivery: { status: string; next_at: Date; attempts: number };
};
const rows = () => identity.db.collection<Row>('verification_reminders');
const rowsOf = (userId: number) => rows().find({ user_id: userId }).sort({ created_at: 1 }).toArray();

/** As if the days had passed: the database's clock says that it is due. */
const makeDue = async ({ _id }: Row) => {
  const set = { 'delivery.next_at': new Date(Date.now() - 1_000), 'delivery.status': 'queued' };
  await rows().updateOne({ _id }, { $set: set });
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
      expect(Number(due[i]?.expires_at) - Number(due[i]?.created_at)).toBe(2 * dayMs);
    }
    expect(remindersTo(user.email)).toEqual([]);
    for (const [i, row] of due.entries()) {
      await makeDue(row);
      expect(await settled(row)).toBe('sent');
      expect(remindersTo(user.email)).toHaveLength(i + 1);
    }
    expect(remindersTo(user.email)[0]).toMatchObject({ language: 'es', partner: { name: 'Law Firm' } });
    const body = { email: user.email };
    await identity.call('POST', '/v1/client/users/resend-verification', { as: partner.as, body });
    expect(await rowsOf(user.id)).toHaveLength(2);
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
      expect(await settled(row)).toBe('skipped');
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

  it('is not reminded by a partner that is suspended', async () => {
    const { user, due } = await client();
    const id = String(partner.as.partner_id);
    await admin(identity, 'partner', 'suspend', '--partner', id);
    await makeDue(due[0] as Row);
    expect(await settled(due[0] as Row)).toBe('skipped');
    await admin(identity, 'partner', 'reactivate', '--partner', id);
    expect(remindersTo(user.email)).toEqual([]);
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

  it('is not reminded beyond the limit of mails to one recipient', async () => {
    const { user, due } = await client();
    await identity.db
      .collection('rate_limits')
      .updateMany({ _id: { $regex: '^recipient-hour:' } } as never, [
        { $set: { hits: ['$$NOW', '$$NOW', '$$NOW'] } },
      ]);
    await makeDue(due[0] as Row);
    expect(await settled(due[0] as Row)).toBe('skipped');
    expect(remindersTo(user.email)).toEqual([]);
    await identity.db.collection('rate_limits').deleteMany({ _id: { $regex: '^recipient-hour:' } } as never);
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
