import {
  isWithinRole,
  type Operation,
  operations,
  type PartnerPrincipal,
  type StaffRole,
  scopesOfRole,
  staffRoles,
} from '@casewatch/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { makePartner, makeUser, someAddress, type TestPartner } from '../../test/support/people.ts';
import type { TestIdentity } from '../../test/support/start-identity.ts';
import { useIdentity } from '../../test/support/use-identity.ts';

let identity: TestIdentity;
let partner: TestPartner;
let other: TestPartner;
useIdentity((started) => ({ identity, partner, other } = started));

const nowS = () => Math.floor(Date.now() / 1_000);

/** A member as the gateway vouches for it, and as it is stored. */
async function makeMember(role: StaffRole, of: TestPartner, set: object = {}): Promise<PartnerPrincipal> {
  const body = { email: someAddress(), name: 'A Member', role };
  const { body: answer } = await identity.call('POST', '/v1/client/staff', { as: of.as, body });
  const staff_id = (answer.staff_member as { id: number }).id;
  const change = { status: 'active', ...set };
  await identity.db.collection('staff').updateOne({ _id: staff_id as never }, { $set: change });
  return {
    kind: 'partner',
    partner_id: of.as.partner_id,
    key_id: '',
    scopes: [...scopesOfRole[role]],
    staff_id,
    role,
    signed_in_at: nowS(),
    console: { session_id: 'a-session-of-the-test', actor: 'A Member' },
  };
}

type Row = Operation & { name: string };
const rows: Row[] = (Object.entries(operations) as [string, Operation][])
  .filter(([, { service, who }]) => service === 'identity' && who.includes('partner'))
  .map(([name, row]) => ({ ...row, name }));

/** Of things that are not there, and with faults: a caller who may do it gets 4xx of another kind, and nothing changes. */
const pathOf = ({ path }: Row) => path.replaceAll(/\{[^}]+\}/g, '999999999');
const bodyOf = ({ method }: Row) => (method === 'POST' || method === 'PUT' ? { body: { nick: 1 } } : {});
const call = (row: Row, as: PartnerPrincipal) =>
  identity.call(row.method, pathOf(row), { as, ...bodyOf(row) });

/** For members who are no owners: of themselves alone. */
const ownOnly = ['get_staff_member', 'export_staff_member'];

describe('the service itself', () => {
  const members = {} as Record<StaffRole, PartnerPrincipal>;
  beforeAll(async () => {
    for (const role of staffRoles) members[role] = await makeMember(role, partner);
  });

  it.each(rows.flatMap((row) => staffRoles.map((role) => [row.name, role, row] as const)))(
    'lets in, or refuses, for %s a member who is %s',
    async (_name, role, row) => {
      const { body, status } = await call(row, members[role]);
      const isRefused = status === 403 && body.code === 'insufficient_role';
      const isOwnOnly = ownOnly.includes(row.name) && role !== 'owner';
      expect(isRefused).toBe(isOwnOnly || !isWithinRole(role, row.role as StaffRole));
    },
  );

  it.each(rows.map((row) => [row.name, row] as const))(
    'refuses %s to a member without a role, and one whose scopes say more than the role',
    async (_name, row) => {
      const { role: _role, ...roleless } = members.owner;
      expect(await call(row, roleless)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } });
      const inflated = { ...members.viewer, scopes: members.owner.scopes };
      const isAllowed = row.role === 'viewer' && !ownOnly.includes(row.name);
      expect((await call(row, inflated)).body.code === 'insufficient_role').toBe(!isAllowed);
    },
  );

  it.each(rows.map((row) => [row.name, row] as const))(
    'wants a recent sign-in for %s where it is sensitive, and only of members',
    async (_name, row) => {
      const codeAt = async (secondsAgo: number) =>
        (await call(row, { ...members.owner, signed_in_at: nowS() - secondsAgo })).body.code;
      const isAsked = (code: unknown) => code === 'reauthentication_required';
      expect(isAsked(await codeAt(14 * 60))).toBe(false);
      expect(isAsked(await codeAt(15 * 60 + 5))).toBe(row.isSensitive === true);
      const { signed_in_at: _at, ...timeless } = members.owner;
      expect(isAsked((await call(row, timeless)).body.code)).toBe(row.isSensitive === true);
      expect(isAsked((await call(row, partner.as)).body.code)).toBe(false);
    },
  );
});

describe('a member', () => {
  it('reads what belongs to the partner, and nothing of another one, though ids are the same numbers', async () => {
    const [user, foreign] = [await makeUser(identity, partner), await makeUser(identity, other)];
    const viewer = await makeMember('viewer', partner);
    const read = async (id: number) =>
      (await identity.call('GET', `/v1/client/users/${id}`, { as: viewer })).status;
    expect([await read(user.id), await read(foreign.id)]).toEqual([200, 404]);
    // The person with the id of the member.
    const person = {
      kind: 'user',
      user_id: viewer.staff_id as number,
      partner_id: null,
      session_id: 's',
      signed_in_at: nowS(),
    } as const;
    for (const path of ['/v1/client/staff', `/v1/client/staff/${viewer.staff_id}`, '/v1/client/users'])
      expect((await identity.call('GET', path, { as: person })).status).toBe(401);
  });

  it('exports the own data; an owner that of all; nobody else', async () => {
    const [viewer, second, owner, foreign] = [
      await makeMember('viewer', partner),
      await makeMember('editor', partner),
      await makeMember('owner', partner),
      await makeMember('owner', other),
    ];
    const exported = async (as: PartnerPrincipal, of: PartnerPrincipal) =>
      (await identity.call('GET', `/v1/client/staff/${of.staff_id}/export`, { as })).status;
    expect(await exported(viewer, viewer)).toBe(200);
    expect(await exported(viewer, second)).toBe(403);
    expect(await exported(owner, viewer)).toBe(200);
    expect(await exported(foreign, viewer)).toBe(404);
  });

  it('who is an owner makes keys and members without limits, as long as the row says so', async () => {
    const firm = await makePartner(identity, 'Owned Firm');
    const owner = await makeMember('owner', firm);
    const post = (path: string, body: object, as = owner) => identity.call('POST', path, { as, body });
    expect((await post('/v1/client/keys', { name: 'by a member' })).status).toBe(201);
    const invited = { email: someAddress(), name: 'X', role: 'owner' };
    expect((await post('/v1/client/staff', invited)).status).toBe(201);
    const link = await post('/v1/client/console-links', { actor: 'x' });
    expect([link.status, link.body.code]).toEqual([403, 'insufficient_role']);
    // The gateway may vouch for an old role for two seconds more.
    const rows = identity.db.collection('staff');
    for (const set of [
      { role: 'editor' },
      { role: 'owner', status: 'disabled' },
      { status: 'active', partner_id: 999 },
    ]) {
      await rows.updateOne({ _id: owner.staff_id as never }, { $set: set });
      const refused = await post('/v1/client/staff', { ...invited, email: someAddress() });
      expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_role']);
    }
  });

  it('is named where a consent is recorded', async () => {
    const editor = await makeMember('editor', partner);
    const body = { email: someAddress(), name: 'Ana', phone: '+12025550123', notify_by_whatsapp: true };
    const { body: answer } = await identity.call('POST', '/v1/client/users', { as: editor, body });
    const { id } = answer.user as { id: number };
    const row = await identity.db.collection('users').findOne({ _id: id as never });
    expect(row?.whatsapp_consent.by).toBe(`partner:${partner.as.partner_id}/staff:${editor.staff_id}`);
  });
});
