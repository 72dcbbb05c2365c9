import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  asUser,
  makePartner,
  makeUser,
  type TestPartner,
  userOf,
  type WireUser,
} from '../../support/people.ts';
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
  for (let i = 0; i < 5; i++) users.push(await makeUser(identity, partner));
  await makeUser(identity, other);
});

const get = (path: string, as: Parameters<TestIdentity['call']>[2]) => identity.call('GET', path, as);
const first = () => users[0] as WireUser;

const partnerTime = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

describe('reading users', () => {
  it('shows a partner its user with partner times and its own name', async () => {
    const reply = await get(`/v1/client/users/${first().id}`, { as: partner.as });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      user: {
        ...first(),
        created_at: partnerTime,
        updated_at: partnerTime,
        partner_name: 'Law Firm',
      },
    });
  });

  it('shows the same user with ISO times under /v1/users, to the partner and to the person', async () => {
    const path = `/v1/users/${first().id}`;
    expect((await get(path, { as: partner.as })).body).toEqual({ user: first() });
    expect((await get(path, { as: asUser(first(), partner) })).body).toEqual({ user: first() });
  });

  it('answers for another partner’s user as for a user who does not exist', async () => {
    const missing = await get('/v1/client/users/999999', { as: other.as });
    const foreign = await get(`/v1/client/users/${first().id}`, { as: other.as });
    const withoutIds = ({ request_id, instance, ...rest }: Record<string, unknown>) => rest;
    expect(foreign.status).toBe(404);
    expect(withoutIds(foreign.body)).toEqual(withoutIds(missing.body));
    const neighbour = await get(`/v1/users/${first().id}`, { as: asUser(users[1] as WireUser, partner) });
    expect(neighbour.body).toMatchObject({ status: 404, code: 'user_not_found' });
  });

  it('refuses an invalid id', async () => {
    const reply = await get('/v1/users/9007199254740992', { as: partner.as });
    expect(reply.body).toMatchObject({ status: 400, code: 'invalid_parameter' });
  });

  it('lists a partner’s users page by page, newest first, each once', async () => {
    const seen: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor ? `?limit=2&cursor=${cursor}` : '?limit=2';
      const { body } = await get(`/v1/client/users${query}`, { as: partner.as });
      seen.push(...(body.users as WireUser[]).map((user) => user.id));
      cursor = body.next_cursor as string | null;
      expect(body.has_more).toBe(cursor !== null);
    }
    expect(seen).toEqual(users.map((user) => user.id).reverse());
  });

  it('lists eleven fields with partner times, oldest first where asked', async () => {
    const { body } = await get('/v1/client/users?sort=created_at&limit=1', { as: partner.as });
    expect(body.users).toEqual([{ ...first(), created_at: partnerTime, updated_at: partnerTime }]);
  });

  it('filters by address, status and time', async () => {
    const list = async (query: string) =>
      ((await get(`/v1/client/users?${query}`, { as: partner.as })).body.users as WireUser[]).length;
    expect(await list(`email=${first().email.toUpperCase()}`)).toBe(1);
    expect(await list('status=inactive')).toBe(0);
    expect(await list('created_since=2020-01-01T00:00:00Z')).toBe(5);
    expect(await list('created_since=2999-01-01T00:00:00Z')).toBe(0);
    expect([await list('verified=false'), await list('verified=true')]).toEqual([5, 0]);
  });

  it('refuses a cursor of another partner, another filter, or of nobody', async () => {
    const { body } = await get('/v1/client/users?limit=2', { as: partner.as });
    const cursor = String(body.next_cursor);
    for (const [query, as] of [
      [`cursor=${cursor}`, other.as],
      [`cursor=${cursor}&status=active`, partner.as],
      ['cursor=made-up', partner.as],
    ] as const) {
      const reply = await get(`/v1/client/users?${query}`, { as });
      expect(reply.body).toMatchObject({ status: 400, code: 'invalid_cursor' });
    }
  });

  it('refuses a query parameter that is not known', async () => {
    const reply = await get('/v1/client/users?colour=blue', { as: partner.as });
    expect(reply.body).toMatchObject({ status: 400, code: 'unknown_parameter' });
  });

  it('demands the scope', async () => {
    const reply = await get('/v1/client/users', { as: { ...partner.as, scopes: ['cases:read'] } });
    expect(reply.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
    expect(userOf(reply)).toBeUndefined();
  });
});
