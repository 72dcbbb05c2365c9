import type { Caller } from '@casewatch/contracts';
import { ApiError, type Bus, createLogger } from '@casewatch/platform';
import { aPerson, connectAs, servePeople, startNats, type TestNats } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createIdentity, type Identity } from './identity.ts';

const deleted = 3;

const firm: Caller = { kind: 'partner', partner_id: 1, key_id: '1', scopes: [] };

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

  it('are one for the languages of a page, of the partner’s own people', async () => {
    expect([...((await client.findLanguages(1, [1, 2, 2, deleted])) ?? [])]).toEqual([
      [1, 'pt'],
      [2, 'pt'],
    ]);
    expect(asked).toEqual([{ ids: [1, 2, deleted], fields: ['preferred_language'], partner_id: 1 }]);
    expect(await client.findLanguages(9, [1])).toEqual(new Map());
  });

  it('need none for an empty page', async () => {
    expect(await client.findLanguages(1, [])).toEqual(new Map());
    expect(asked).toEqual([]);
  });

  it('are 503 while identity is away, but for languages', async () => {
    isAway = true;
    await expect(client.findUser(1, ['name'])).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(client.fetchUserOf(firm, 1, ['name'])).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(await client.findLanguages(1, [1])).toBeNull();
  });
});
