import { beforeAll, describe, expect, it } from '@jest/globals';
import { asUser, makePartner, makeUser, type TestPartner, type WireUser } from '../../support/people.ts';
import type { TestIdentity } from '../../support/start-identity.ts';
import { sharedIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let partner: TestPartner;
let other: TestPartner;
const users: WireUser[] = [];

beforeAll(async () => {
  ({ identity } = await sharedIdentity());
  partner = await makePartner(identity, 'Law Firm');
  other = await makePartner(identity, 'Relocation');
  for (let i = 0; i < 3; i++) users.push(await makeUser(identity, partner));
  await makeUser(identity, other);
});

type As = Parameters<TestIdentity['call']>[2];
const list = (query: string, as: As) => identity.call('GET', `/v1/users${query}`, as);
const first = () => users[0] as WireUser;

describe('listing users', () => {
  it('shows a partner its own, newest first, with ISO times, page by page', async () => {
    const one = await list('?limit=2', { as: partner.as });
    expect(one.status).toBe(200);
    expect(one.body).toEqual({
      users: [users[2], users[1]],
      has_more: true,
      next_cursor: expect.any(String),
    });
    const two = await list(`?limit=2&cursor=${String(one.body.next_cursor)}`, { as: partner.as });
    expect(two.body).toEqual({ users: [users[0]], has_more: false, next_cursor: null });
  });

  it('shows a person oneself alone, where the filters let that through', async () => {
    const me = { as: asUser(first(), partner) };
    for (const query of ['', '?status=active', `?email=${first().email.toUpperCase()}`]) {
      const { body } = await list(query, me);
      expect(body).toEqual({ users: [first()], has_more: false, next_cursor: null });
    }
    for (const query of ['?status=inactive', `?email=${(users[1] as WireUser).email}`]) {
      expect((await list(query, me)).body.users).toEqual([]);
    }
  });

  it('filters a partner’s by address and status', async () => {
    const found = await list(`?email=${first().email}&status=active`, { as: partner.as });
    expect(found.body.users).toEqual([first()]);
    expect((await list('?status=suspended', { as: partner.as })).body.users).toEqual([]);
  });

  it('finds a partner’s by beginnings of words of the name, whatever its case and accents, page by page', async () => {
    const firm = await makePartner(identity, 'Names');
    for (const name of ['Sofía Ñuñez', 'SOFIA Silva', 'João da Silva', 'Ana (Bia) Costa']) {
      await makeUser(identity, firm, { name });
    }
    const named = async (name: string, more = '') => {
      const path = `/v1/client/users?name=${encodeURIComponent(name)}${more}`;
      const { body } = await identity.call('GET', path, { as: firm.as });
      return { names: (body.users as { name: string }[] | undefined)?.map((user) => user.name), body };
    };
    expect((await named('sofia')).names).toEqual(['SOFIA Silva', 'Sofía Ñuñez']);
    expect((await named('nunez')).names).toEqual(['Sofía Ñuñez']);
    expect((await named('JOÃO DA')).names).toEqual(['João da Silva']);
    expect((await named('(bia)')).names).toEqual(['Ana (Bia) Costa']);
    expect((await named('silva jo')).names).toEqual(['João da Silva']);
    expect((await named('ilva')).names).toEqual([]);
    expect((await named('.*')).body.code).toBe('invalid_parameter');
    // The address is not the name.
    expect((await named('example')).names).toEqual([]);
    const { names, body } = await named('silva', '&limit=1');
    expect(names).toEqual(['João da Silva']);
    const next = await named('silva', `&limit=1&cursor=${String(body.next_cursor)}`);
    expect([next.names, next.body.has_more]).toEqual([['SOFIA Silva'], false]);
    expect((await named(' ')).body.code).toBe('invalid_parameter');
  });

  it('follows a changed name', async () => {
    const firm = await makePartner(identity, 'Names that change');
    const { id } = await makeUser(identity, firm, { name: 'Ana Before' });
    const body = { name: 'Ana Áfter' };
    await identity.call('PUT', `/v1/client/users/${id}`, { as: firm.as, body });
    const namesOf = async (name: string) => {
      const { body } = await identity.call('GET', `/v1/client/users?name=${name}`, { as: firm.as });
      return (body.users as { name: string }[]).map((user) => user.name);
    };
    expect(await namesOf('after')).toEqual(['Ana Áfter']);
    expect(await namesOf('before')).toEqual([]);
  });

  it('reads only the users whose name matches, and at most 200 of them: then, more letters', async () => {
    const firm = await makePartner(identity, 'Keys');
    const one = await makeUser(identity, firm, { name: 'Zoe Unique' });
    const rows = identity.db.collection<{ _id: number }>('users');
    const like = await rows.findOne({ _id: one.id });
    const copies = Array.from({ length: 3_000 }, (_, i) => ({
      ...like,
      _id: 7_000_000 + i,
      ...{ name: 'Ana Silva', email: `${i}@many.example`, email_lower: `${i}@many.example` },
      words: ['ana', 'silva', `@${i}@many.example`],
    }));
    await rows.insertMany(copies);
    const began = new Date();
    await identity.db.command({ profile: 2 });
    const answers = [];
    for (const query of ['name=uni', 'name=uni+zo', 'name=silva', 'name=silva+ana', 'status=suspended'])
      answers.push((await identity.call('GET', `/v1/client/users?${query}`, { as: firm.as })).body);
    await identity.db.command({ profile: 0 });
    await rows.deleteMany({ _id: { $gte: 7_000_000 } });
    const found = answers.map(({ users, type_more }) => [(users as unknown[]).length, type_more]);
    expect(found).toEqual([
      [1, false],
      [1, false],
      [50, true],
      [50, true],
      [0, false],
    ]);
    const reads = await identity.db
      .collection('system.profile')
      .find({ op: 'query', ns: /\.users$/, ts: { $gte: began } })
      .toArray();
    expect(reads.length).toBeGreaterThanOrEqual(9);
    for (const { docsExamined } of reads) expect(docsExamined).toBeLessThanOrEqual(600);
    for (const { keysExamined } of reads) expect(keysExamined).toBeLessThanOrEqual(5_001);
  });

  it('is 400 for a cursor of another list, another caller or nobody, and for an unknown parameter', async () => {
    const { body } = await identity.call('GET', '/v1/client/users?limit=2', { as: partner.as });
    const mine = await list('?limit=2', { as: partner.as });
    for (const [cursor, as] of [
      [String(body.next_cursor), partner.as],
      [String(mine.body.next_cursor), other.as],
      [String(mine.body.next_cursor), asUser(first(), partner)],
      ['made-up', asUser(first(), partner)],
    ] as const) {
      const reply = await list(`?limit=2&cursor=${cursor}`, { as });
      expect(reply.body).toMatchObject({ status: 400, code: 'invalid_cursor' });
    }
    expect((await list('?sort=created_at', { as: partner.as })).body.code).toBe('unknown_parameter');
  });

  it('is 401 without credentials and 403 without the scope', async () => {
    expect((await list('', {})).body).toMatchObject({ status: 401, code: 'missing_credentials' });
    const reply = await list('', { as: { ...partner.as, scopes: ['cases:read'] } });
    expect(reply.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
  });
});
