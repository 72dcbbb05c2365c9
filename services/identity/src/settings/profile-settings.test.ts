import type { PartnerPrincipal } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import { connectAs, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../../test/support/notifier.ts';
import { makePartner, someAddress, type TestPartner } from '../../test/support/people.ts';
import type { TestIdentity } from '../../test/support/start-identity.ts';
import { useIdentity } from '../../test/support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let gateway: Bus;
let cases: Bus;
let firm: TestPartner;
useIdentity((started) => ({ identity, notifier } = started));
beforeAll(async () => {
  [gateway, cases] = await Promise.all([
    connectAs(identity.nats, 'gateway'),
    connectAs(identity.nats, 'cases'),
  ]);
  cases.serve('cases.count', async () => ({ cases: 0, active_cases: 0 }));
  await cases.connection.flush();
});
beforeEach(async () => {
  firm = await makePartner(identity, 'Settled Firm');
});
afterAll(async () => {
  await Promise.all([gateway.stop(), cases.stop()]);
});

const put = (body: object, as: PartnerPrincipal = firm.as) =>
  identity.call('PUT', '/v1/client/profile', { as, body });
const stored = () => identity.db.collection('partners').findOne({ _id: firm.as.partner_id as never });
const mailsTo = (email: string, kind: string) =>
  notifier.sent.filter((mail) => mail.to === email && mail.kind === kind);

/** The token in the newest mail to an address that must be confirmed. */
async function tokenFor(email: string, seen = 0): Promise<string> {
  const mails = () => mailsTo(email, 'confirm_reply_to');
  await waitFor(() => mails().length > seen, { what: `a mail to ${email}` });
  const mail = mails().at(-1);
  return new URL(mail && 'link' in mail ? mail.link : '').searchParams.get('token') ?? '';
}
const confirm = (token: string) => gateway.request('identity.confirm_reply_to', { token });
const refusal = { code: 'invalid_verification_token' };

async function newMember(role: 'owner' | 'editor'): Promise<string> {
  const email = someAddress();
  const { body } = await identity.call('POST', '/v1/client/staff', {
    as: firm.as,
    body: { email, name: 'A Member', role },
  });
  const { id } = body.staff_member as { id: number };
  await identity.db.collection('staff').updateOne({ _id: id as never }, { $set: { status: 'active' } });
  return email;
}

describe('PUT /v1/client/profile', () => {
  it('changes the fields that are sent, and no other', async () => {
    const first = { support_contact: '+1 202 555 0100', time_zone: 'America/Chicago' };
    expect(await put(first)).toMatchObject({ status: 200, body: { client: first } });
    const case_url = 'https://firm.example/cases/{user_case_id}';
    expect((await put({ case_url })).body.client).toMatchObject({ ...first, case_url });
    expect((await put({ support_contact: null })).body.client).toMatchObject({
      support_contact: null,
      case_url,
    });
    expect(await stored()).toMatchObject({ support_contact: null, case_url, time_zone: 'America/Chicago' });
  });

  it.each([
    [{}, 'empty_update'],
    [{ case_url: 'http://firm.example' }, 'validation_failed'],
    [{ case_url: 'https://casewatch.example@evil.example/' }, 'validation_failed'],
    [{ case_url: 'no address' }, 'validation_failed'],
    [{ time_zone: 'Chicago' }, 'validation_failed'],
    [{ reply_to: 'nobody' }, 'validation_failed'],
    [{ support_contact: 'two\nlines' }, 'validation_failed'],
    [{ logo_url: 'http://firm.example/logo.png' }, 'validation_failed'],
    [{ name: 'Another Firm' }, 'validation_failed'],
    [{ notify_unverified: true }, 'validation_failed'],
  ])('refuses %j and changes nothing', async (body, code) => {
    const before = await stored();
    expect(await put(body)).toMatchObject({ status: 400, body: { code } });
    expect(await stored()).toEqual(before);
  });

  it('is for owners, who signed in a moment ago, and for keys with the scope', async () => {
    const statusOf = async (as: object) => (await put({ time_zone: 'UTC' }, as as PartnerPrincipal)).status;
    const now = Math.floor(Date.now() / 1_000);
    const member = { ...firm.as, key_id: '', staff_id: 1, signed_in_at: now };
    expect(await statusOf({ ...member, role: 'editor' })).toBe(403);
    expect(await statusOf({ ...member, role: 'owner', signed_in_at: now - 16 * 60 })).toBe(401);
    expect(await statusOf({ ...member, role: 'owner' })).toBe(200);
    const scopes = firm.as.scopes.filter((scope) => scope !== 'settings');
    expect(await statusOf({ ...firm.as, scopes })).toBe(403);
  });

  it('tells all active owners by mail which settings changed, without their values', async () => {
    const [owner, other, editor] = [
      await newMember('owner'),
      await newMember('owner'),
      await newMember('editor'),
    ];
    await put({ case_url: 'https://firm.example/secret-path', time_zone: 'Europe/Lisbon' });
    for (const email of [owner, other]) {
      await waitFor(() => mailsTo(email, 'settings_changed').length > 0, { what: `the mail to ${email}` });
      const [mail] = mailsTo(email, 'settings_changed');
      expect(mail).toMatchObject({ settings: ['case_url', 'time_zone'] });
      expect(JSON.stringify(mail)).not.toContain('secret-path');
    }
    await put({ time_zone: 'Europe/Lisbon' });
    const notices = { partner_id: firm.as.partner_id, kind: 'settings_changed' };
    expect(await identity.db.collection('staff_notices').countDocuments(notices)).toBe(2);
    expect(mailsTo(editor, 'settings_changed')).toEqual([]);
  });

  it('is not the only way to a logo: PUT /v1/client/logo tells the owners of a new one and of its removal, too', async () => {
    const owner = await newMember('owner');
    const setLogo = (logo_url: string | null) =>
      identity.call('PUT', '/v1/client/logo', { as: firm.as, body: { logo_url } });
    const notices = { partner_id: firm.as.partner_id, kind: 'settings_changed' };
    const told = () => identity.db.collection('staff_notices').countDocuments(notices);
    const counts: number[] = [];
    for (const logo_url of [null, 'https://firm.example/a.png', 'https://firm.example/a.png', null, null]) {
      expect((await setLogo(logo_url)).status).toBe(200);
      counts.push(await told());
    }
    expect(counts).toEqual([0, 1, 1, 2, 2]);
    await waitFor(() => mailsTo(owner, 'settings_changed').length === 2, { what: 'two mails to the owner' });
    for (const mail of mailsTo(owner, 'settings_changed'))
      expect(mail).toMatchObject({ settings: ['logo_url'] });
  });
});

describe('a new reply-to address', () => {
  it('takes effect when its mailbox has confirmed it, once', async () => {
    const email = someAddress();
    const { body } = await put({ reply_to: email });
    expect(body.client).toMatchObject({ reply_to: null, pending_reply_to: email });
    const token = await tokenFor(email);
    const { request } = await gateway.request('identity.reply_to', { token });
    expect(request).toEqual({ partner_name: 'Settled Firm', email });
    expect(await stored()).toMatchObject({ reply_to: null });
    const confirmed = await Promise.allSettled([confirm(token), confirm(token), confirm(token)]);
    expect(confirmed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await stored()).toMatchObject({ reply_to: email, pending_reply_to: null });
    await expect(confirm(token)).rejects.toMatchObject(refusal);
  });

  it('loses its link when another address, or none, is asked for', async () => {
    const [first, second] = [someAddress(), someAddress()];
    await put({ reply_to: first });
    const old = await tokenFor(first);
    await put({ reply_to: second });
    await expect(confirm(old)).rejects.toMatchObject(refusal);
    const next = await tokenFor(second);
    expect((await put({ reply_to: null })).body.client).toMatchObject({
      reply_to: null,
      pending_reply_to: null,
    });
    await expect(confirm(next)).rejects.toMatchObject(refusal);
  });

  it('that is the present one again ends a request for another, and needs no mail', async () => {
    const [present, other] = [someAddress(), someAddress()];
    await put({ reply_to: present });
    await confirm(await tokenFor(present));
    await put({ reply_to: other });
    const token = await tokenFor(other);
    expect((await put({ reply_to: present })).body.client).toMatchObject({
      reply_to: present,
      pending_reply_to: null,
    });
    await expect(confirm(token)).rejects.toMatchObject(refusal);
    expect(mailsTo(present, 'confirm_reply_to')).toHaveLength(1);
  });

  it.each(['', 'x', 'a.b', 'x'.repeat(200)])('is not confirmed by the token %j', async (token) => {
    await expect(confirm(token || '-')).rejects.toMatchObject(refusal);
  });

  it('cannot be used to flood a mailbox', async () => {
    const email = someAddress();
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) {
      statuses.push((await put({ reply_to: email })).status);
      await put({ reply_to: null });
    }
    expect(statuses).toContain(429);
    const kept = await stored();
    expect(kept).toMatchObject({ reply_to: null, pending_reply_to: null });
  });
});
