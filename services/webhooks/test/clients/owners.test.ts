import type { RequestData } from '@casewatch/contracts';
import { type Bus, createLogger, NotYetError } from '@casewatch/platform';
import { connectAs, servePeople, startNats, type TestNats } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createOwners, type Owners } from '../../src/clients/owners.ts';
import { caseReply, observed, userOf } from '../support/fixtures.ts';

const partnerId = 1;
const deletedId = 404;

describe('questions to cases and identity', () => {
  let nats: TestNats;
  let buses: Bus[];
  let owners: Owners;
  const asked: RequestData<'cases.cases'>[] = [];
  const askedPeople: RequestData<'identity.people'>[] = [];

  beforeAll(async () => {
    nats = await startNats();
    const services = ['webhooks', 'cases', 'identity'] as const;
    buses = await Promise.all(services.map((service) => connectAs(nats, service)));
    const [webhooks, cases, identity] = buses as [Bus, Bus, Bus];
    owners = createOwners(webhooks, createLogger('webhooks', 'silent'));
    cases.serve('cases.cases', async (question) => {
      asked.push(question);
      return {
        cases: question.ids
          .filter((id) => id !== deletedId)
          .map((id) => caseReply({ id, userId: 1, partnerId, version: 2, latest: observed(id, 3) })),
      };
    });
    servePeople(
      identity,
      (id) => (id === deletedId ? undefined : userOf(id, partnerId, 2)),
      (question) => askedPeople.push(question),
    );
    await Promise.all(buses.map((bus) => bus.connection.flush()));
  });
  beforeEach(() => {
    for (const list of [asked, askedPeople]) list.length = 0;
  });
  afterAll(async () => {
    await Promise.all(buses.map((bus) => bus.stop()));
    await nats.stop();
  });

  it('tell of a case as new as the event, and null of a deleted one', async () => {
    const found = await owners.fetchCase(7, { observation: 3 });
    expect(found).toMatchObject({ case: { id: 7 }, latest_observation: 3 });
    expect(await owners.fetchCase(7, { version: 2 })).toMatchObject({ version: 2 });
    expect(await owners.fetchCase(deletedId, { observation: 3 })).toBeNull();
    expect(asked).toHaveLength(3);
    expect(asked[0]).toEqual({ ids: [7], at_least: { version: 0, observation: 3 } });
  });

  it.each([{ observation: 4 }, { version: 3 }, { version: 2, observation: 4 }])(
    'are early where the case is older than %j: the event is tried again',
    async (atLeast) => {
      await expect(owners.fetchCase(7, atLeast)).rejects.toThrow(NotYetError);
      expect(asked).toHaveLength(1);
    },
  );

  it('name the partner of a user, and ask for what the event shows', async () => {
    const user = await owners.fetchUser({ user_id: 1, partner_id: partnerId }, 2);
    expect(user).toEqual(expect.objectContaining({ id: 1, version: 2 }));
    expect(Object.keys(user ?? {}).filter((name) => name.startsWith('partner_'))).toEqual([]);
    expect(askedPeople).toEqual([expect.objectContaining({ ids: [1], partner_id: partnerId })]);
    expect(await owners.fetchUser({ user_id: 1, partner_id: 9 }, 2)).toBeNull();
    expect(await owners.fetchUser({ user_id: deletedId, partner_id: partnerId }, 2)).toBeNull();
  });

  it('are early where identity has an older version of the user', async () => {
    await expect(owners.fetchUser({ user_id: 1, partner_id: partnerId }, 3)).rejects.toThrow(NotYetError);
  });

  it('are about the language alone where no more is needed, and answered in English without identity', async () => {
    const user = { user_id: 1, partner_id: partnerId };
    expect(await owners.fetchLanguage(user)).toBe('es');
    expect(askedPeople).toEqual([{ ids: [1], fields: ['preferred_language'], partner_id: partnerId }]);
    expect(await owners.fetchLanguage({ user_id: deletedId, partner_id: partnerId })).toBe('en');
    await buses[2]?.stop();
    expect(await owners.fetchLanguage(user)).toBe('en');
  });
});
