import { ApiError, type Bus, createLogger } from '@casewatch/platform';
import { connectAs, startNats, type TestNats } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createIdentity, type Identity } from '../../src/clients/identity.ts';

const now = new Date().toISOString();
const deleted = 3;

function userOf(id: number) {
  if (id === deleted) throw new ApiError('user_not_found');
  return {
    id,
    partner_id: 1,
    partner_name: null,
    partner_logo_url: null,
    email: `${id}@example.com`,
    name: 'Ana',
    phone: null,
    status: 'active' as const,
    preferred_language: 'pt' as const,
    notify_by_email: true,
    notify_by_whatsapp: false,
    whatsapp_consent_at: null,
    email_verified_at: null,
    version: 1,
    created_at: now,
    updated_at: now,
  };
}

const some = (id: number) => (id === deleted ? null : userOf(id));
const languagesOf = (ids: number[]) => ids.map((id) => ({ id, preferred_language: 'pt' as const }));

describe('questions at the same time', () => {
  let nats: TestNats;
  let buses: Bus[];
  let client: Identity;
  const asked: unknown[] = [];
  beforeAll(async () => {
    nats = await startNats();
    const [owner, asker] = [await connectAs(nats, 'identity'), await connectAs(nats, 'cases')];
    buses = [owner, asker];
    owner.serve('identity.user', async (data) => {
      asked.push(data);
      return {
        ...userOf(data.user_id),
        ...(data.more_ids && { more: data.more_ids.map(some) }),
      };
    });
    owner.serve('identity.users', async (data) => {
      asked.push(data);
      const more = data.more?.map(({ user_ids }) => languagesOf(user_ids));
      return { users: languagesOf(data.user_ids), ...(more && { more }) };
    });
    await owner.connection.flush();
    client = createIdentity(asker, createLogger('cases', 'silent'));
  });
  afterAll(async () => {
    await Promise.all(buses.map((bus) => bus.stop()));
    await nats.stop();
  });

  it('each get their own user, or null for a deleted one', async () => {
    const found = await Promise.all([1, 2, deleted, 4].map((id) => client.findUser(id)));
    expect(found.map((user) => user?.id ?? null)).toEqual([1, 2, null, 4]);
    expect(asked.splice(0)).toHaveLength(1);
  });

  it('get their users if the first one is deleted', async () => {
    const found = await Promise.all([deleted, 2].map((id) => client.findUser(id)));
    expect(found.map((user) => user?.id ?? null)).toEqual([null, 2]);
    await expect(client.fetchUser(deleted)).rejects.toMatchObject({ code: 'user_not_found' });
    asked.splice(0);
  });

  it('each get the languages of their own page', async () => {
    const pages = await Promise.all([client.findLanguages(1, [1, 2, 2]), client.findLanguages(2, [7])]);
    expect(pages.map((page) => [...(page?.keys() ?? [])])).toEqual([[1, 2], [7]]);
    expect(asked.splice(0)).toHaveLength(1);
  });
});
