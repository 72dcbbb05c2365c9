import { startSibling, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  admin,
  asUser,
  makePartner,
  makeUser,
  runCommand,
  type TestPartner,
  type WireUser,
} from '../support/people.ts';
import {
  type Servers,
  startServers,
  startTestIdentity,
  type TestIdentity,
} from '../support/start-identity.ts';

const erasedAt = '2026-10-01T10:00:00.000Z';

describe('the erasure of a user', () => {
  let servers: Servers;
  let identity: TestIdentity;
  let partner: TestPartner;
  beforeAll(async () => {
    servers = await startServers();
    identity = await startTestIdentity({}, {}, servers);
    partner = await makePartner(identity, 'Law Firm');
  });
  afterAll(async () => {
    await identity.stop();
    await Promise.all([servers.mongo.stop(), servers.nats.stop()]);
  });

  const users = () => identity.db.collection<{ _id: number; created_at: Date }>('users');
  const erasedIds = () => identity.db.collection<{ _id: number; erased_at: Date }>('erased_users');
  const isThere = async (id: number) => (await users().findOne({ _id: id })) !== null;
  async function recorded(id: number) {
    const rows = await identity.db.collection('outbox').find({ type: 'erasure.recorded' }).toArray();
    return rows.map(({ body }) => JSON.parse(body)).filter(({ data }) => data.user_id === id);
  }
  const partnerId = () => partner.as.partner_id;

  /** A user as a restored backup brings one back: there, without a record of the erasure. */
  async function restored(created_at = new Date('2026-09-01T10:00:00.000Z')): Promise<WireUser> {
    const user = await makeUser(identity, partner);
    await users().updateOne({ _id: user.id }, { $set: { created_at } });
    return user;
  }

  it.each<[string, (user: WireUser) => Promise<unknown>]>([
    [
      'the person',
      ({ id, ...user }) =>
        identity.call('DELETE', `/v1/users/${id}`, { as: asUser({ id, ...user }, partner) }),
    ],
    ['the partner', ({ id }) => identity.call('DELETE', `/v1/client/users/${id}`, { as: partner.as })],
    ['an operator', ({ id }) => admin(identity, 'user', 'delete', '--users', String(id))],
  ])('by %s is recorded once, with ids alone', async (_by, erase) => {
    const user = await makeUser(identity, partner, { name: 'Erasable Person' });
    await erase(user);
    await erase(user);
    const [event, ...more] = await recorded(user.id);
    expect(more).toEqual([]);
    expect(event.data).toEqual({
      user_id: user.id,
      partner_id: partnerId(),
      erased_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const row = await erasedIds().findOne({ _id: user.id });
    expect(row?.erased_at.toISOString()).toBe(event.data.erased_at);
  });

  it('that is refused is not recorded', async () => {
    const user = await makeUser(identity, partner);
    const stale = await identity.call('DELETE', `/v1/users/${user.id}`, { as: asUser(user, partner, 3_600) });
    expect(stale.body.code).toBe('reauthentication_required');
    expect([await recorded(user.id), await erasedIds().findOne({ _id: user.id })]).toEqual([[], null]);
  });

  const again = (...erasures: object[]) =>
    admin(identity, 'user', 'erase-again', '--erasures', JSON.stringify(erasures));

  it('is applied again to a user who came back, and recorded for a user who did not', async () => {
    const back = await restored();
    const gone = 900_001;
    const erasures = [back.id, gone].map((user_id) => ({ user_id, partner_id: null, erased_at: erasedAt }));
    expect(await again(...erasures)).toEqual({ erased: [back.id], recorded: 2 });
    expect(await again(...erasures)).toEqual({ erased: [], recorded: 2 });
    expect(await isThere(back.id)).toBe(false);
    for (const [id, partner_id] of [
      [back.id, partnerId()],
      [gone, null],
    ] as const)
      expect((await recorded(id)).map(({ data }) => data)).toEqual([
        { user_id: id, partner_id, erased_at: erasedAt },
      ]);
  });

  it('is applied by the own event, which outlives the backup', async () => {
    const back = await restored();
    const self = await startSibling('identity', servers.nats);
    const data = { user_id: back.id, partner_id: partnerId(), erased_at: erasedAt };
    await self.publish('erasure.recorded', data).finally(() => self.stop());
    await waitFor(async () => !(await isThere(back.id)), { what: 'the erasure' });
    expect((await recorded(back.id)).map((event) => event.data)).toEqual([data]);
  });

  it('does not concern another person, who got the id later', async () => {
    const later = await restored(new Date('2026-10-02T10:00:00.000Z'));
    expect(await again({ user_id: later.id, partner_id: null, erased_at: erasedAt })).toMatchObject({
      erased: [],
    });
    expect(await isThere(later.id)).toBe(true);
    expect(await recorded(later.id)).toEqual([]);
  });

  it('keeps its id from a new user: the creation fails, and the next gets another id', async () => {
    const before = await makeUser(identity, partner);
    await erasedIds().insertOne({ _id: before.id + 1, erased_at: new Date() });
    const create = () =>
      identity.call('POST', '/v1/client/users', {
        as: partner.as,
        body: { email: `person.${before.id}@example.com`, name: 'New Person' },
      });
    const refused = await create();
    expect([refused.status, refused.body.code]).toEqual([503, 'service_unavailable']);
    expect((await create()).body).toMatchObject({ user: { id: before.id + 2 } });
  });

  it.each([
    '7,8',
    '{}',
    '[{"user_id":990007}]',
    '[{"user_id":"990007","partner_id":null,"erased_at":"2026-10-01T10:00:00Z"}]',
    '[{"user_id":990007,"partner_id":null,"erased_at":"yesterday"}]',
  ])('is not applied from %s', async (text) => {
    const { code, err } = await runCommand(identity, ['user', 'erase-again', '--erasures', text]);
    expect(code).toBe(2);
    expect(err).toContain('--erasures must be the content of erased-users.json');
    expect(await recorded(990_007)).toEqual([]);
  });
});
