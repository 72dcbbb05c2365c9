import { defaultAlerts, type PartnerPrincipal, type Scope, scopes, scopesOfRole } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import { connectAs, waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../../test/support/notifier.ts';
import {
  admin,
  makePartner,
  makeUser,
  runCommand,
  someAddress,
  type TestPartner,
} from '../../test/support/people.ts';
import { publicUrl, type Reply, type TestIdentity } from '../../test/support/start-identity.ts';
import { useIdentity } from '../../test/support/use-identity.ts';

type Member = { id: number; email: string; name: string; role: string; status: string } & Record<
  string,
  unknown
>;

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
let other: TestPartner;
let gateway: Bus;
useIdentity((started) => ({ identity, notifier, partner, other, gateway } = started));

const staff = '/v1/client/staff';
const asFirm = (method: string, path: string, body?: object, as = partner.as) =>
  identity.call(method, `${staff}${path}`, { as, ...(body && { body }) });
const memberOf = ({ body }: Reply) => body.staff_member as Member;
const codeOf = ({ status, body }: Reply) => [status, body.code];

async function invite(fields: object = {}, as: PartnerPrincipal = partner.as) {
  const reply = await asFirm(
    'POST',
    '',
    { email: someAddress(), name: 'Maria Lopes', role: 'viewer', ...fields },
    as,
  );
  if (reply.status !== 201) throw new Error(reply.text);
  return memberOf(reply);
}

/** The token in the newest invitation to an address, of those after the first `seen`. */
async function tokenFor(email: string, seen = 0): Promise<string> {
  const mails = () => notifier.sent.filter((mail) => mail.to === email);
  await waitFor(() => mails().length > seen, { what: `an invitation to ${email}` });
  const mail = mails().at(-1);
  if (mail?.kind !== 'staff_invitation') throw new Error('not an invitation');
  return new URL(mail.link).searchParams.get('token') ?? '';
}

const look = async (token: string) => (await gateway.request('identity.invitation', { token })).invitation;
const accept = (token: string) =>
  gateway.request('identity.accept_invitation', {
    token,
    address: '203.0.113.7',
    browser: 'Firefox on Linux',
  });
const refusal = { code: 'invalid_invitation_token' };

/** A member who accepted. */
async function join(role: string, as = partner.as): Promise<Member> {
  const member = await invite({ role }, as);
  await accept(await tokenFor(member.email));
  return member;
}

const read = async (id: number, as = partner.as) => memberOf(await asFirm('GET', `/${id}`, undefined, as));

/** A key of the firm with these limits, as identity vouches for it. */
async function keyWith(limits: object, of: TestPartner): Promise<PartnerPrincipal> {
  const { body } = await identity.call('POST', '/v1/client/keys', { as: of.as, body: limits });
  const { id, scopes } = body.key as { id: number; scopes: Scope[] };
  return { ...of.as, key_id: String(id), scopes };
}

describe('inviting', () => {
  it('makes a member who is invited, and sends one mail with the link, without any text of the caller', async () => {
    const email = someAddress().toUpperCase();
    const reply = await asFirm('POST', '', {
      email,
      name: 'Click https://evil.example',
      role: 'editor',
      language: 'es',
    });
    const member = memberOf(reply);
    expect([reply.status, reply.headers.get('location')]).toEqual([201, `${staff}/${member.id}`]);
    expect(member).toEqual({
      id: member.id,
      email,
      name: 'Click https://evil.example',
      role: 'editor',
      status: 'invited',
      language: 'es',
      time_zone: null,
      second_factor: false,
      alerts: defaultAlerts,
      away_until: null,
      last_seen_at: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    const token = await tokenFor(email);
    const mail = await notifier.mailTo(email);
    expect(mail).toMatchObject({ kind: 'staff_invitation', language: 'es', partner: { name: 'Law Firm' } });
    expect(JSON.stringify(mail)).not.toContain('evil');
    expect(JSON.stringify(mail)).toContain(`${publicUrl}/console/invitation?token=${token}`);
    const stored = await identity.db.collection('staff_invitations').findOne({ staff_id: member.id });
    expect(JSON.stringify(stored)).not.toContain(token.split('.')[1]);
    expect(await read(member.id)).toMatchObject({
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:/),
    });
  });

  it('refuses an address that a member has, in any case, also of two who ask in parallel', async () => {
    const { email } = await invite();
    const again = { email: email.toUpperCase(), name: 'X', role: 'viewer' };
    expect(codeOf(await asFirm('POST', '', again))).toEqual([409, 'staff_already_exists']);
    const both = { email: someAddress(), name: 'X', role: 'viewer' };
    const statuses = (await Promise.all([1, 2, 3].map(() => asFirm('POST', '', both)))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([201, 409, 409]);
    // Another partner has members of its own.
    expect((await asFirm('POST', '', again, other.as)).status).toBe(201);
  });

  it('gives the same answer for the same Idempotency-Key, and sends one mail', async () => {
    const options = {
      as: partner.as,
      body: { email: someAddress(), name: 'X', role: 'viewer' },
      headers: { 'idempotency-key': 'invite-1' },
    };
    const first = await identity.call('POST', staff, options);
    const again = await identity.call('POST', staff, options);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    await tokenFor(options.body.email);
    const id = memberOf(first).id;
    expect(await identity.db.collection('staff_invitations').countDocuments({ staff_id: id })).toBe(1);
    await asFirm('DELETE', `/${id}`);
    const kept = await identity.db
      .collection('idempotency')
      .countDocuments({ user_id: `staff/${id}` as never });
    expect(kept).toBe(0);
  });

  it.each([
    [{ role: 'partner' }],
    [{ role: undefined }],
    [{ email: 'nobody' }],
    [{ email: undefined }],
    [{ name: '' }],
    [{ name: 'a\u202eb' }],
    [{ language: 'fr' }],
    [{ time_zone: 'Mars/Olympus' }],
    [{ status: 'active' }],
    [{ accepted_at: '2026-01-01T00:00:00.000Z' }],
    [{ resend: 'yes' }],
  ])('refuses %j and stores nothing', async (wrong) => {
    const email = someAddress();
    const reply = await asFirm('POST', '', { email, name: 'X', role: 'viewer', ...wrong });
    expect(codeOf(reply)).toEqual([400, 'validation_failed']);
    expect(await identity.db.collection('staff').countDocuments({ email })).toBe(0);
  });

  it('again, ends the former link and takes the new name and role', async () => {
    const member = await invite({ time_zone: 'America/Chicago' });
    const former = await tokenFor(member.email);
    const body = { email: member.email, name: 'Maria L.', role: 'editor', resend: true };
    const again = await asFirm('POST', '', body);
    expect([again.status, memberOf(again)]).toMatchObject([
      201,
      { id: member.id, name: 'Maria L.', role: 'editor', status: 'invited', time_zone: 'America/Chicago' },
    ]);
    const next = await tokenFor(member.email, 1);
    expect(await look(former)).toBeNull();
    await expect(accept(former)).rejects.toMatchObject(refusal);
    expect((await accept(next)).invitation).toEqual({
      partner_name: 'Law Firm',
      name: 'Maria L.',
      role: 'editor',
    });
    // Not of who accepted.
    expect(codeOf(await asFirm('POST', '', body))).toEqual([409, 'staff_already_exists']);
  });

  it('is limited to 50 a day for a partner, resent ones too; a refused one counts nothing', async () => {
    const firm = await makePartner(identity, 'Busy Firm');
    const one = () => asFirm('POST', '', { email: someAddress(), name: 'X', role: 'viewer' }, firm.as);
    const { email } = memberOf(await one());
    for (let i = 0; i < 3; i++)
      expect((await asFirm('POST', '', { email, name: 'X', role: 'viewer' }, firm.as)).status).toBe(409);
    const resent = await asFirm('POST', '', { email, name: 'X', role: 'viewer', resend: true }, firm.as);
    expect(resent.status).toBe(201);
    const statuses: number[] = [];
    while (!statuses.includes(429)) {
      const answers = await Promise.all(Array.from({ length: 7 }, one));
      statuses.push(...answers.map(({ status }) => status));
    }
    const count = (wanted: number) => statuses.filter((status) => status === wanted).length;
    expect(count(201)).toBeLessThanOrEqual(48);
    // A busy machine may say 503 of an invitation that takes effect all the same.
    expect(count(201) + count(503)).toBeGreaterThanOrEqual(48);
    expect(statuses.filter((status) => ![201, 429, 503].includes(status))).toEqual([]);
    const refused = await one();
    expect(codeOf(refused)).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
    expect((await invite()).status).toBe('invited');
  });
});

describe('a key', () => {
  const all = scopes.filter((scope) => scope !== 'audit');
  const viewer = scopesOfRole.viewer;
  const inADay = () => new Date(Date.now() + 86_400_000).toISOString();
  it.each([
    ['with all scopes', {}, { owner: 201, editor: 201, viewer: 201 }],
    ['without the scope audit', { scopes: all }, { owner: 403, editor: 201, viewer: 201 }],
    ['that reads', { scopes: ['staff', ...viewer] }, { owner: 403, editor: 403, viewer: 201 }],
    ['with the scope staff alone', { scopes: ['staff'] }, { owner: 403, editor: 403, viewer: 403 }],
    // An owner could create a key without the limit.
    ['of one network', { allowed_ips: ['203.0.113.0/24'] }, { owner: 403, editor: 201, viewer: 201 }],
    ['that ends', { expires_at: inADay() }, { owner: 403, editor: 201, viewer: 201 }],
  ] as const)('%s makes members who may do no more than itself', async (_what, limits, expected) => {
    const firm = await makePartner(identity, 'Limited Firm');
    const as = await keyWith(limits, firm);
    for (const [role, status] of Object.entries(expected)) {
      const email = someAddress();
      const reply = await asFirm('POST', '', { email, name: 'X', role }, as);
      expect([role, reply.status]).toEqual([role, status]);
      if (status === 403) {
        expect(reply.body.code).toBe('insufficient_scope');
        expect(await identity.db.collection('staff').countDocuments({ email })).toBe(0);
      }
    }
  });

  it('raises nobody, reactivates nobody and invites nobody again beyond what it may do itself', async () => {
    const firm = await makePartner(identity, 'Careful Firm');
    const as = await keyWith({ scopes: ['staff', ...viewer] }, firm);
    const [owner, viewerMember] = [await join('owner', firm.as), await join('viewer', firm.as)];
    const waiting = await invite({ role: 'owner' }, firm.as);
    await join('owner', firm.as);
    const put = (id: number, body: object, by = as) => asFirm('PUT', `/${id}`, body, by);
    expect((await put(viewerMember.id, { role: 'owner' })).status).toBe(403);
    expect((await put(viewerMember.id, { role: 'editor' })).status).toBe(403);
    expect((await put(owner.id, { status: 'disabled' })).status).toBe(200);
    expect((await put(owner.id, { status: 'active' })).status).toBe(403);
    expect((await put(owner.id, { status: 'active', role: 'viewer' })).status).toBe(200);
    const again = { email: waiting.email, name: 'X', role: 'owner', resend: true };
    expect((await asFirm('POST', '', again, as)).status).toBe(403);
    // What gives nothing is allowed.
    expect((await put(viewerMember.id, { name: 'Renamed' })).status).toBe(200);
  });

  it.each([
    ['with the scope staff alone', { scopes: ['staff'] }, { owner: 403, editor: 403, viewer: 403 }],
    ['that reads', { scopes: ['staff', ...viewer] }, { owner: 403, editor: 403, viewer: 200 }],
    ['of one network', { allowed_ips: ['203.0.113.0/24'] }, { owner: 403, editor: 200, viewer: 200 }],
    ['with all scopes', {}, { owner: 200, editor: 200, viewer: 200 }],
  ] as const)(
    '%s resets the second factor of nobody who may do more than itself, and ends access',
    async (_what, limits, expected) => {
      const firm = await makePartner(identity, 'Guarded Firm');
      const as = await keyWith(limits, firm);
      await join('owner', firm.as);
      for (const [role, status] of Object.entries(expected)) {
        const { id } = await join(role, firm.as);
        const reset = await asFirm('DELETE', `/${id}/second-factor`, undefined, as);
        expect([role, reset.status]).toEqual([role, status]);
        if (status === 403)
          expect(reset.body.message).toContain(`The role ${role} exceeds the calling key in these fields:`);
        expect((await asFirm('PUT', `/${id}`, { status: 'disabled' }, as)).status).toBe(200);
        expect((await asFirm('DELETE', `/${id}`, undefined, as)).status).toBe(200);
      }
    },
  );

  it('exports the data of a member only with the scope audit, too: the data has what the member did', async () => {
    const firm = await makePartner(identity, 'Curious Firm');
    const owner = await join('owner', firm.as);
    const as = await keyWith({ scopes: ['staff', 'audit'] }, firm);
    const exportBy = (...scopes: Scope[]) =>
      asFirm('GET', `/${owner.id}/export`, undefined, { ...as, scopes });
    const refused = await exportBy('staff');
    expect(codeOf(refused)).toEqual([403, 'insufficient_scope']);
    expect(refused.body.message).toContain('the scope audit');
    expect(refused.body.staff_member).toBeUndefined();
    expect((await exportBy('staff', 'audit')).status).toBe(200);
  });

  it('that was revoked since the gateway looked makes nobody', async () => {
    const firm = await makePartner(identity, 'Leaving Firm');
    const as = await keyWith({}, firm);
    await identity.call('DELETE', `/v1/client/keys/${as.key_id}`, { as: firm.as });
    const reply = await asFirm('POST', '', { email: someAddress(), name: 'X', role: 'viewer' }, as);
    expect(codeOf(reply)).toEqual([401, 'api_key_revoked']);
  });

  it('that exists gets none of the new scopes; a new one of the operator has all', async () => {
    const firm = await makePartner(identity, 'Old Firm');
    const old = [
      'users:read',
      'users:write',
      'cases:read',
      'cases:write',
      'check',
      'webhooks',
      'profile:read',
      'profile:write',
      'keys',
    ];
    await identity.db
      .collection('api_keys')
      .updateOne({ _id: Number(firm.as.key_id) as never }, { $set: { scopes: old } });
    const { principal } = await gateway.request('identity.authenticate', await usedBy(firm));
    expect(principal.scopes).toEqual(old);
    expect(codeOf(await asFirm('GET', '', undefined, principal))).toEqual([403, 'insufficient_scope']);
    const more = await identity.call('POST', '/v1/client/keys', {
      as: principal,
      body: { scopes: [...old, 'staff'] },
    });
    expect(codeOf(more)).toEqual([403, 'insufficient_scope']);
    const created = (await admin(
      identity,
      'partner',
      'create',
      '--name',
      'New',
      '--email',
      'o@example.com',
    )) as {
      partner: { api_key: string; api_secret: string };
    };
    const fresh = await gateway.request('identity.authenticate', await usedBy(created.partner));
    expect(fresh.principal.scopes).toEqual([...scopes]);
  });
});

async function usedBy({ api_key, api_secret }: { api_key: string; api_secret: string }) {
  const { secretSha256 } = await import('../credentials/api-key.ts');
  return { api_key, secret_sha256: secretSha256(api_secret), address: '203.0.113.7' };
}

describe('an invitation', () => {
  it('shows whose it is and changes nothing until it is accepted; then it makes the member active, once', async () => {
    const member = await invite({ role: 'editor' });
    const token = await tokenFor(member.email);
    const shown = { partner_name: 'Law Firm', name: 'Maria Lopes', role: 'editor' };
    expect([await look(token), await look(token)]).toEqual([shown, shown]);
    expect((await read(member.id)).status).toBe('invited');
    const answers = await Promise.allSettled([1, 2, 3, 4].map(() => accept(token)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await read(member.id)).status).toBe('active');
    expect(await look(token)).toBeNull();
    await expect(accept(token)).rejects.toMatchObject(refusal);
  });

  it.each([
    ['the member is changed', (id: number) => asFirm('PUT', `/${id}`, { role: 'editor' })],
    ['only the name is changed', (id: number) => asFirm('PUT', `/${id}`, { name: 'Maria L.' })],
    ['the member is removed', (id: number) => asFirm('DELETE', `/${id}`)],
    ['the member is erased', (id: number) => admin(identity, 'staff', 'erase', '--staff', String(id))],
    [
      'seven days have passed',
      (id: number) =>
        identity.db
          .collection('staff_invitations')
          .updateOne({ staff_id: id }, { $set: { expires_at: new Date(Date.now() - 1_000) } }),
    ],
  ])('ends when %s', async (_what, end) => {
    const member = await invite();
    const token = await tokenFor(member.email);
    await end(member.id);
    expect(await look(token)).toBeNull();
    await expect(accept(token)).rejects.toMatchObject(refusal);
    const row = await identity.db.collection('staff').findOne({ _id: member.id as never });
    expect(row?.accepted_at).toBeNull();
  });

  it('goes on after a change that changes nothing', async () => {
    const member = await invite();
    const token = await tokenFor(member.email);
    const before = await identity.db.collection('staff').findOne({ _id: member.id as never });
    expect((await asFirm('PUT', `/${member.id}`, { name: member.name, role: 'viewer' })).status).toBe(200);
    const after = await identity.db.collection('staff').findOne({ _id: member.id as never });
    expect([before?.version, after?.version]).toEqual([1, 1]);
    expect((await accept(token)).invitation).toMatchObject({ role: 'viewer' });
  });

  it('is for seven days, one address and one partner: a token with other parts is refused', async () => {
    const [one, two] = [await invite(), await invite({}, other.as)];
    const [a = '', b = ''] = [await tokenFor(one.email), await tokenFor(two.email)];
    const [idA, macA] = a.split('.');
    const [idB, macB] = b.split('.');
    for (const forged of [`${idA}.${macB}`, `${idB}.${macA}`, `${idA}.`, idA ?? '', 'x', `${a}x`])
      await expect(accept(forged)).rejects.toMatchObject(refusal);
    const rows = identity.db.collection('staff_invitations');
    for (const change of [{ email_lower: 'thief@example.com' }, { partner_id: 999 }, { staff_id: two.id }]) {
      const row = await rows.findOne({ _id: idA as never });
      await rows.updateOne({ _id: idA as never }, { $set: change });
      await expect(accept(a)).rejects.toMatchObject(refusal);
      await rows.updateOne({ _id: idA as never }, { $set: row ?? {} });
    }
    const row = await rows.findOne({ _id: idA as never });
    expect(row?.expires_at.getTime() - row?.created_at.getTime()).toBe(7 * 86_400_000);
    await accept(a);
  });

  it('is no link of a person, and theirs is none of it', async () => {
    const user = await makeUser(identity, partner);
    const mail = await notifier.mailTo(user.email);
    const ofPerson = new URL('link' in mail ? mail.link : '').searchParams.get('token') ?? '';
    await expect(accept(ofPerson)).rejects.toMatchObject(refusal);
    const member = await invite();
    const token = await tokenFor(member.email);
    for (const path of ['verify-email', 'undo-email-change']) {
      const { status } = await identity.call('POST', `/v1/users/${path}`, { body: { token } });
      expect(status).toBe(400);
    }
    await accept(token);
  });

  it('of a suspended partner is not accepted, and stays', async () => {
    const firm = await makePartner(identity, 'Suspended Firm');
    const member = await invite({}, firm.as);
    const token = await tokenFor(member.email);
    const suspend = (word: string) =>
      admin(identity, 'partner', word, '--partner', String(firm.as.partner_id));
    await suspend('suspend');
    await expect(accept(token)).rejects.toMatchObject({ code: 'partner_suspended' });
    await suspend('reactivate');
    await accept(token);
  });
});

describe('changing a member', () => {
  it('changes the fields that are sent, and no others, and lists newest first', async () => {
    const firm = await makePartner(identity, 'Orderly Firm');
    const [first, second] = [await invite({}, firm.as), await invite({ language: 'pt' }, firm.as)];
    const set = { name: 'Ana Reis', time_zone: 'America/Chicago' };
    const changed = memberOf(await asFirm('PUT', `/${second.id}`, set, firm.as));
    expect(changed).toMatchObject({ ...set, role: 'viewer', language: 'pt', status: 'invited' });
    const page = await asFirm('GET', '?limit=1', undefined, firm.as);
    expect(page.body).toMatchObject({ staff: [{ id: second.id }], has_more: true });
    const next = await asFirm('GET', `?limit=1&cursor=${page.body.next_cursor}`, undefined, firm.as);
    expect(next.body).toMatchObject({ staff: [{ id: first.id }], has_more: false, next_cursor: null });
  });

  it.each([
    [{}, 'empty_update'],
    [{ email: 'other@example.com' }, 'validation_failed'],
    [{ status: 'invited' }, 'validation_failed'],
    [{ role: 'partner' }, 'validation_failed'],
    [{ time_zone: 'x' }, 'validation_failed'],
    [{ last_seen_at: null }, 'validation_failed'],
    // Only the acceptance makes a member active.
    [{ status: 'active' }, 'validation_failed'],
    [{ status: 'disabled' }, 'validation_failed'],
  ])('refuses %j of an invited member', async (body, code) => {
    const member = await invite();
    expect(codeOf(await asFirm('PUT', `/${member.id}`, body))).toEqual([400, code]);
    expect(await read(member.id)).toMatchObject({ status: 'invited', name: member.name });
  });

  it('of another partner is 404 for every operation, as of one who is not there', async () => {
    const member = await join('owner', other.as);
    for (const id of [member.id, 999_999_999])
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PUT', '', { role: 'viewer' }],
        ['DELETE', '', undefined],
        ['GET', '/export', undefined],
      ] as const)
        expect(codeOf(await asFirm(method, `/${id}${path}`, body))).toEqual([404, 'staff_not_found']);
    expect((await read(member.id, other.as)).role).toBe('owner');
  });
});

describe('the last active owner', () => {
  it('stays: not demoted, disabled, removed or erased, until another owner is active', async () => {
    const firm = await makePartner(identity, 'Small Firm');
    const owner = await join('owner', firm.as);
    await join('editor', firm.as);
    const second = await invite({ role: 'owner' }, firm.as);
    const attempts = [
      ['PUT', { role: 'editor' }],
      ['PUT', { role: 'viewer', status: 'disabled' }],
      ['PUT', { status: 'disabled' }],
      ['DELETE', undefined],
    ] as const;
    for (const [method, body] of attempts)
      expect(codeOf(await asFirm(method, `/${owner.id}`, body, firm.as))).toEqual([409, 'last_owner']);
    expect((await runCommand(identity, ['staff', 'erase', '--staff', String(owner.id)])).code).toBe(1);
    expect(await read(owner.id, firm.as)).toMatchObject({ role: 'owner', status: 'active' });
    expect((await asFirm('PUT', `/${owner.id}`, { name: 'Still Owner' }, firm.as)).status).toBe(200);
    await accept(await tokenFor(second.email));
    expect((await asFirm('DELETE', `/${owner.id}`, undefined, firm.as)).status).toBe(200);
    expect(codeOf(await asFirm('DELETE', `/${second.id}`, undefined, firm.as))).toEqual([409, 'last_owner']);
  });

  it('is left by two who end in parallel, twenty times, whatever ends each', async () => {
    const firm = await makePartner(identity, 'Racing Firm');
    const owners = [await join('owner', firm.as), await join('owner', firm.as)] as const;
    const ways = [
      (id: number) => asFirm('PUT', `/${id}`, { role: 'viewer' }, firm.as),
      (id: number) => asFirm('PUT', `/${id}`, { status: 'disabled' }, firm.as),
    ];
    for (let round = 0; round < 20; round++) {
      const [one = ways[0], two = ways[1]] = [ways[round % 2], ways[Math.floor(round / 2) % 2]];
      const answers = await Promise.all([one?.(owners[0].id), two?.(owners[1].id)]);
      expect(answers.map((answer) => answer?.status).sort()).toEqual([200, 409]);
      const now = await Promise.all(owners.map(({ id }) => read(id, firm.as)));
      expect(now.filter(({ role, status }) => role === 'owner' && status === 'active')).toHaveLength(1);
      for (const { id } of owners)
        await asFirm('PUT', `/${id}`, { role: 'owner', status: 'active' }, firm.as);
    }
    // Removals, too.
    const removals = await Promise.all(
      owners.map(({ id }) => asFirm('DELETE', `/${id}`, undefined, firm.as)),
    );
    expect(removals.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('removing a member', () => {
  it('ends the member everywhere; the address is free for another member, and the row keeps id and name', async () => {
    const member = await join('viewer');
    const removed = await asFirm('DELETE', `/${member.id}`);
    expect([removed.status, memberOf(removed)]).toMatchObject([200, { id: member.id, status: 'disabled' }]);
    expect((await asFirm('GET', `/${member.id}`)).status).toBe(404);
    expect((await asFirm('DELETE', `/${member.id}`)).status).toBe(404);
    const { body } = await asFirm('GET', '?limit=100');
    expect((body.staff as Member[]).some(({ id }) => id === member.id)).toBe(false);
    const next = await invite({ email: member.email });
    expect(next.id).not.toBe(member.id);
    const export_ = memberOf(await asFirm('GET', `/${member.id}/export`));
    expect(export_).toMatchObject({ email: member.email, removed_at: expect.any(String), invitations: [] });
  });

  it('and every change is an event with ids alone', async () => {
    const cases = await connectAs(identity.nats, 'cases');
    const member = await join('viewer');
    await asFirm('PUT', `/${member.id}`, { role: 'editor' });
    await asFirm('DELETE', `/${member.id}`);
    const rows = await identity.db.collection('outbox').find().toArray();
    const events = rows
      .map((row) => JSON.stringify(row))
      .filter((text) => text.includes(`staff/${member.id}`));
    expect(events).toHaveLength(4);
    for (const text of events) {
      expect(text).not.toContain(member.email);
      expect(text).not.toContain(member.name);
    }
    await cases.stop();
  });
});

describe('what is kept of a former member', () => {
  it('is erased by the operator: the name is replaced, and no store has name or address any more', async () => {
    const member = await join('viewer');
    const name = 'Wilhelmina Unusual';
    await asFirm('PUT', `/${member.id}`, { name });
    expect(await admin(identity, 'staff', 'erase', '--staff', String(member.id))).toEqual({
      staff_member: { id: member.id, partner_id: partner.as.partner_id, erased: true },
    });
    for (const { name: collection } of await identity.db.listCollections().toArray()) {
      const text = JSON.stringify(await identity.db.collection(collection).find().toArray());
      expect([collection, text.includes(name), text.includes(member.email)]).toEqual([
        collection,
        false,
        false,
      ]);
    }
    expect((await asFirm('GET', `/${member.id}/export`)).status).toBe(404);
    expect((await runCommand(identity, ['staff', 'erase', '--staff', String(member.id)])).code).toBe(0);
    expect((await runCommand(identity, ['staff', 'erase', '--staff', '999999999'])).code).toBe(1);
    // The person with the same id stays.
    const users = await identity.db.collection('users').countDocuments({ _id: member.id as never });
    const answer = await connectAs(identity.nats, 'cases');
    const named = {
      partner_id: partner.as.partner_id,
      ids: [member.id],
      fields: ['name', 'email'] as ('name' | 'email')[],
    };
    expect((await answer.request('identity.staff', named)).staff).toEqual([
      { id: member.id, name: 'Former member', email: null },
    ]);
    await answer.stop();
    expect(users).toBe(await identity.db.collection('users').countDocuments({ _id: member.id as never }));
  });
});

describe('the address of a former member', () => {
  let short: { identity: TestIdentity; partner: TestPartner };
  useIdentity((started) => (short = started), { STAFF_ADDRESS_KEPT_DAYS: String(1 / 86_400) });

  it('is deleted some time after the removal, and no address of who is still a member', async () => {
    const asShort = (method: string, path: string, body?: object) =>
      short.identity.call(method, `${staff}${path}`, { as: short.partner.as, ...(body && { body }) });
    const [gone, stays] = [someAddress(), someAddress()];
    const members: Member[] = [];
    for (const email of [gone, stays])
      members.push(memberOf(await asShort('POST', '', { email, name: 'Paulo Reis', role: 'viewer' })));
    const rows = short.identity.db.collection('staff');
    await asShort('DELETE', `/${members[0]?.id}`);
    const row = () => rows.findOne({ _id: members[0]?.id as never });
    await waitFor(async () => (await row())?.email === null, { timeoutMs: 30_000, what: 'the deletion' });
    expect(await row()).toMatchObject({ name: 'Paulo Reis', email_lower: null });
    expect((await rows.findOne({ _id: members[1]?.id as never }))?.email).toBe(stays);
    const exported = await asShort('GET', `/${members[0]?.id}/export`);
    expect(memberOf(exported)).toMatchObject({ email: null, name: 'Paulo Reis' });
  });
});

describe('members that another service asks for', () => {
  it('have the fields that were asked for, of the partner that was named, removed ones only by id', async () => {
    const cases = await connectAs(identity.nats, 'cases');
    const firm = await makePartner(identity, 'Asked Firm');
    const [one, two] = [await join('owner', firm.as), await invite({ time_zone: 'UTC' }, firm.as)];
    await asFirm('DELETE', `/${two.id}`, undefined, firm.as);
    const ask = (more: object) =>
      cases.request('identity.staff', {
        partner_id: firm.as.partner_id,
        fields: ['name', 'status', 'time_zone'],
        ...more,
      });
    const owner = { id: one.id, name: one.name, status: 'active', time_zone: null };
    expect(await ask({})).toEqual({ staff: [owner], has_more: false });
    const removed = { id: two.id, name: two.name, status: 'disabled', time_zone: 'UTC' };
    const { staff: byId } = await ask({ ids: [one.id, two.id, 999_999_999] });
    expect(byId.sort((a, b) => a.id - b.id)).toEqual([owner, removed]);
    expect((await ask({ partner_id: other.as.partner_id, ids: [one.id] })).staff).toEqual([]);
    expect((await ask({ after: one.id })).staff).toEqual([]);
    await cases.stop();
  });
});

describe('the operator', () => {
  it('creates a partner with its first owner, who gets an invitation', async () => {
    const email = someAddress();
    const args = [
      'partner',
      'create',
      '--name',
      'Owned Firm',
      '--email',
      'office@example.com',
      '--owner',
      email,
    ];
    const { partner: created } = (await admin(identity, ...args)) as {
      partner: { id: number; owner: string };
    };
    expect(created.owner).toBe(email);
    const token = await tokenFor(email);
    expect((await accept(token)).invitation).toMatchObject({ partner_name: 'Owned Firm', role: 'owner' });
    const again = ['staff', 'invite', '--partner', String(created.id), '--email', email];
    expect((await runCommand(identity, again)).code).toBe(1);
    const next = someAddress();
    await admin(
      identity,
      'staff',
      'invite',
      '--partner',
      String(created.id),
      '--email',
      next,
      '--role',
      'viewer',
    );
    expect(await look(await tokenFor(next))).toMatchObject({ role: 'viewer' });
    expect(
      (
        await runCommand(identity, [
          'partner',
          'create',
          '--name',
          'X',
          '--email',
          'o@example.com',
          '--owner',
          'x',
        ])
      ).code,
    ).toBe(2);
  });
});
