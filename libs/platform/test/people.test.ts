import type { RequestData } from '@casewatch/contracts';
import { type Bus, connectBus, createLogger, fetchPeople } from '@casewatch/platform';
import { aPerson, connectAs, servePeople, startNats, type TestNats } from '@casewatch/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

describe('questions about people', () => {
  let nats: TestNats;
  let cases: Bus;
  let identity: Bus;
  const warned: object[] = [];
  const asked: RequestData<'identity.people'>[] = [];
  let stopServing = async () => {};

  beforeAll(async () => {
    nats = await startNats();
    cases = await connectAs(nats, 'cases');
    const { NATS_URL: url, NATS_USER: user, NATS_PASSWORD: password } = nats.user('identity');
    const log = createLogger('identity', 'silent');
    log.warn = (fields: object) => void warned.push(fields);
    identity = await connectBus({ service: 'identity', url, user, password, log });
  });
  beforeEach(() => {
    asked.length = 0;
    warned.length = 0;
  });
  afterEach(() => stopServing());
  afterAll(async () => {
    await Promise.all([cases.stop(), identity.stop()]);
    await nats.stop();
  });

  async function serve(name = 'Ana'): Promise<void> {
    const find = (id: number) => (id < 1_000 ? aPerson(id, { name }) : undefined);
    stopServing = servePeople(identity, find, (question) => asked.push(question));
    await identity.connection.flush();
  }

  it('are asked in parts of 200, each id once, and who is not there is absent', async () => {
    await serve();
    const ids = Array.from({ length: 401 }, (_, i) => i + 1);
    const found = await fetchPeople(cases, [...ids, 7, 1_000], { fields: ['name'], partnerId: 1 });
    expect([...found.keys()].toSorted((a, b) => a - b)).toEqual(ids);
    expect(found.get(7)).toEqual({ id: 7, name: 'Ana' });
    expect(asked.map((question) => question.ids.length).toSorted((a, b) => a - b)).toEqual([2, 200, 200]);
    for (const { fields, partner_id } of asked)
      expect({ fields, partner_id }).toEqual({ fields: ['name'], partner_id: 1 });
  });

  it('are not asked about nobody', async () => {
    await serve();
    expect(await fetchPeople(cases, [], { fields: ['name'] })).toEqual(new Map());
    expect(asked).toEqual([]);
  });

  it('are 503 where the answer lacks a field that was asked for, and not where the field is null', async () => {
    await serve();
    expect((await fetchPeople(cases, [7], { fields: ['phone'] })).get(7)).toEqual({ id: 7, phone: null });
    await stopServing();
    stopServing = identity.serve('identity.people', async () => ({ people: [{ id: 7, phone: null }] }));
    await identity.connection.flush();
    const question = { fields: ['phone', 'partner_time_zone'] } as const;
    await expect(fetchPeople(cases, [7], question)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('are 503 where nobody answers in time', async () => {
    const question = { fields: ['name'], deadlineMs: 300 } as const;
    await expect(fetchPeople(cases, [7], question)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('are 503 where the answer does not fit into a message, and the log shows nothing of it', async () => {
    const name = 'Ana Lucía Ferreira '.repeat(10_000);
    await serve(name);
    const ids = Array.from({ length: 10 }, (_, i) => i + 1);
    await expect(fetchPeople(cases, ids, { fields: ['name'] })).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(warned).toEqual([
      { request: 'identity.people', problem: 'internal_error', err: expect.any(Error) },
    ]);
    const [{ err }] = warned as [{ err: Error }];
    expect(`${err.message} ${err.stack} ${JSON.stringify(err)} ${err.cause}`).not.toContain('Lucía');
    expect(await fetchPeople(cases, [1], { fields: ['name'] })).toEqual(new Map([[1, { id: 1, name }]]));
  });
});
