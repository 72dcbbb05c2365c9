import type { PartnerPrincipal } from '@casewatch/contracts';
import { ApiError, type Bus, createLogger } from '@casewatch/platform';
import { aPerson, connectAs, servePeople, startNats, type TestNats } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createIdentity, type Identity } from './identity.ts';

const deleted = 3;

const firm: PartnerPrincipal = { kind: 'partner', partner_id: 1, key_id: '1', scopes: [] };
const reader: PartnerPrincipal = { ...firm, scopes: ['users:read'] };

describe('questions of cases to identity', () => {
  let nats: TestNats;
  let buses: Bus[];
  let client: Identity;
  let isAway = false;
  const asked: unknown[] = [];
  beforeAll(async () => {
    nats = await startNats();
    const [owner, asker] = [await connectAs(nats, 'identity'), await connectAs(nats, 'cases')];
    buses = [owner, asker];
    const find = (id: number) => (id === deleted ? undefined : aPerson(id, { preferred_language: 'pt' }));
    servePeople(owner, find, (question) => {
      if (isAway) throw new ApiError('service_unavailable');
      asked.push(question);
    });
    await owner.connection.flush();
    client = createIdentity(asker, createLogger('cases', 'silent'));
  });
  afterAll(async () => {
    await Promise.all(buses.map((bus) => bus.stop()));
    await nats.stop();
  });
  beforeEach(() => {
    asked.length = 0;
    isAway = false;
  });

  it('are about the fields that the operation needs', async () => {
    expect(await client.findUser(1, ['name'])).toEqual({ id: 1, name: 'Ana Example' });
    expect(asked).toEqual([{ ids: [1], fields: ['name'] }]);
  });

  it('tell of a deleted user: null, or 404 where there is nothing without the user', async () => {
    expect(await client.findUser(deleted, ['name'])).toBeNull();
    await expect(client.fetchUserOf(firm, deleted, ['name'])).rejects.toMatchObject({
      code: 'user_not_found',
    });
  });

  it('are one for a page, of the partner’s own people; names only for who may see them', async () => {
    const page = await client.pageOfPeople(firm, [1, 2, 2, deleted]);
    const nobody = { language: 'pt', user: null };
    expect([1, 2, deleted].map(page.of)).toEqual([nobody, nobody, null]);
    expect(asked).toEqual([{ ids: [1, 2, deleted], fields: ['preferred_language'], partner_id: 1 }]);
    const named = await client.pageOfPeople(reader, [1]);
    const user = { id: 1, name: 'Ana Example', email: 'person-1@example.org' };
    expect(named.of(1)).toEqual({ language: 'pt', user });
    expect((await client.pageOfPeople({ ...reader, partner_id: 9 }, [1])).of(1)).toBeNull();
  });

  it('need none for an empty page', async () => {
    for (const caller of [firm, reader]) expect((await client.pageOfPeople(caller, [])).of(1)).toBeNull();
    expect(asked).toEqual([]);
  });

  it('are 503 while identity is unavailable, except for a page without names', async () => {
    isAway = true;
    await expect(client.findUser(1, ['name'])).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(client.fetchUserOf(firm, 1, ['name'])).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    await expect(client.pageOfPeople(reader, [1])).rejects.toMatchObject({ code: 'service_unavailable' });
    expect((await client.pageOfPeople(firm, [1])).of(1)).toEqual({ language: 'en', user: null });
  });
});
