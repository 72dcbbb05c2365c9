import { type Bus, createLogger, NotYetError } from '@casewatch/platform';
import { connectAs, startNats, type TestNats } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOwners, type Owners } from '../../src/clients/owners.ts';
import { caseReply, observed, userReply } from '../support/fixtures.ts';

const partnerId = 1;

describe('questions to cases and identity', () => {
  let nats: TestNats;
  let buses: Bus[];
  let owners: Owners;
  /** Number of questions of each request. */
  let caseRequests: number[] = [];
  let userRequests: number[] = [];
  const earlyIds = new Set<number>();
  const deletedId = 404;
  let isReleaseBefore = false;

  beforeAll(async () => {
    nats = await startNats();
    const services = ['webhooks', 'cases', 'identity'] as const;
    buses = await Promise.all(services.map((service) => connectAs(nats, service)));
    const [webhooks, cases, identity] = buses as [Bus, Bus, Bus];
    owners = createOwners(webhooks, createLogger('webhooks', 'silent'));
    cases.serve('cases.cases', async ({ cases: questions }) => {
      caseRequests.push(questions.length);
      const answers = questions.map(({ case_id: id }, question) => {
        const latest = observed(id, 3);
        return { question, found: id === deletedId ? null : caseReply({ id, userId: 1, partnerId, latest }) };
      });
      return { answers: answers.filter(({ found }) => !earlyIds.has(found?.case.id ?? 0)) };
    });
    identity.serve('identity.partner_users', async ({ users, languages_only: isOfLanguages }) => {
      userRequests.push(users.length);
      if (isOfLanguages && !isReleaseBefore) return { users: [], languages: users.map(() => 'pt' as const) };
      return { users: users.map(({ user_id }) => userReply(user_id, partnerId, 2)) };
    });
    await Promise.all(buses.map((bus) => bus.connection.flush()));
  });
  afterAll(async () => {
    await Promise.all(buses.map((bus) => bus.stop()));
    await nats.stop();
  });

  it('are one request while they are asked together, of at most 128', async () => {
    caseRequests = [];
    userRequests = [];
    const ids = Array.from({ length: 130 }, (_, i) => i + 1);
    const [replies, users] = await Promise.all([
      Promise.all(ids.map((id) => owners.fetchCase(id, { observation: 3 }))),
      Promise.all(ids.map((user_id) => owners.fetchUser({ user_id, partner_id: partnerId }, 2))),
    ]);
    expect(replies.map((reply) => reply?.case.id)).toEqual(ids);
    expect(users.map((user) => user?.id)).toEqual(ids);
    expect(caseRequests.toSorted((a, b) => a - b)).toEqual([2, 128]);
    expect(userRequests.toSorted((a, b) => a - b)).toEqual([2, 128]);
  });

  it('are repeated while they are early, and the others do not wait for them', async () => {
    earlyIds.add(7);
    const order: string[] = [];
    const early = owners.fetchCase(7).finally(() => order.push('early'));
    const refused = expect(early).rejects.toThrow(NotYetError);
    expect(await Promise.all([owners.fetchCase(8), owners.fetchCase(deletedId)])).toEqual([
      expect.objectContaining({ latest_observation: 3 }),
      null,
    ]);
    order.push('others');
    await refused;
    expect(order).toEqual(['others', 'early']);
    const again = owners.fetchCase(7);
    earlyIds.delete(7);
    expect(await again).toMatchObject({ case: { id: 7 } });
  });

  it('are early where identity has an older version of the user', async () => {
    await expect(owners.fetchUser({ user_id: 1, partner_id: partnerId }, 3)).rejects.toThrow(NotYetError);
  });

  it('for a language are answered in English where identity does not answer', async () => {
    const user = { user_id: 1, partner_id: partnerId };
    expect(await owners.fetchLanguage(user)).toBe('pt');
    isReleaseBefore = true;
    expect(await owners.fetchLanguage(user)).toBe('es');
    await buses[2]?.stop();
    expect(await owners.fetchLanguage(user)).toBe('en');
  });
});
