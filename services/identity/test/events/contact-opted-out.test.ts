import type { Bus } from '@casewatch/platform';
import { createLogger, systemClock } from '@casewatch/platform';
import { type Connection, createOutbox, startRelay, transaction } from '@casewatch/platform/database';
import { connectAs, connectDatabase, startMongo, type TestMongo, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asUser, makePartner, makeUser, type TestPartner, type WireUser } from '../support/people.ts';
import { startTestIdentity, type TestIdentity } from '../support/start-identity.ts';

let identity: TestIdentity;
let mongo: TestMongo;
let bus: Bus;
let db: Connection;
let relay: { stop(): Promise<void> };
let partner: TestPartner;

beforeAll(async () => {
  identity = await startTestIdentity();
  mongo = await startMongo();
  // The notifier's side: its own outbox and relay, with its own rights on the bus.
  bus = await connectAs(identity.nats, 'notifier');
  db = await connectDatabase(mongo.url());
  relay = startRelay({
    service: 'notifier',
    connection: db,
    leases: db,
    bus,
    log: createLogger('notifier', 'silent'),
    clock: systemClock,
  });
  partner = await makePartner(identity, 'Law Firm');
});
afterAll(async () => {
  await relay.stop();
  await bus.stop();
  await db.close();
  await mongo.stop();
  await identity.stop();
});

const optOut = (user: WireUser, channel: 'email' | 'whatsapp', at: string) => {
  const outbox = createOutbox('notifier', db, () => new Date());
  const data = { user_id: user.id, channel, at };
  return transaction(db, (session) => outbox.add(session, 'contact.opted_out', `user/${user.id}`, data));
};
const row = (user: WireUser) => identity.db.collection('users').findOne({ _id: user.id as never });

describe('a person who opted out', () => {
  it('is not told any more, and only they can switch it on again', async () => {
    const user = await makeUser(identity, partner, { phone: '+12025550123', notify_by_whatsapp: true });
    const at = new Date().toISOString();
    await optOut(user, 'whatsapp', at);
    await waitFor(async () => (await row(user))?.version === 2);
    expect(await row(user)).toMatchObject({
      notify_by_whatsapp: false,
      whatsapp_consent: null,
      notify_by_email: true,
    });

    const body = { notify_by_whatsapp: true };
    const refused = await identity.call('PUT', `/v1/client/users/${user.id}`, { as: partner.as, body });
    expect(refused.body).toMatchObject({ status: 409, code: 'opted_out_by_user' });
    const self = await identity.call('PUT', `/v1/users/${user.id}`, { as: asUser(user, partner), body });
    expect(self.status).toBe(200);

    // The same news again (a redelivery, a rebuilt stream) does not undo what they decided since; other news is handled.
    await optOut(user, 'whatsapp', at);
    await optOut(user, 'email', at);
    await waitFor(async () => (await row(user))?.notify_by_email === false);
    expect(await row(user)).toMatchObject({ notify_by_whatsapp: true, version: 4 });
    const off = await identity.call('PUT', `/v1/client/users/${user.id}`, {
      as: partner.as,
      body: { notify_by_email: true },
    });
    expect(off.status).toBe(409);
  });

  it('stays so through an import, whose row states a consent', async () => {
    const user = await makeUser(identity, partner, { phone: '+12025550123', notify_by_whatsapp: true });
    await optOut(user, 'whatsapp', new Date().toISOString());
    await waitFor(async () => (await row(user))?.version === 2);
    const before = await row(user);
    const cases = await connectAs(identity.nats, 'cases');
    try {
      const person = { email: user.email, name: String(user.name), phone: '+12025550199' };
      const answer = await cases.request('identity.upsert_person', {
        partner_id: partner.as.partner_id,
        actor: { key_id: partner.as.key_id, staff_id: null },
        ...{ network: '203.0.113.0/24', import_id: 7, key: `import:7:${user.id}` },
        ...{ writes: true, expected: user.id, earlier: [], send_verification: false },
        person: { ...person, preferred_language: null, notify_by_email: null, notify_by_whatsapp: true },
      });
      expect(answer).toMatchObject({ outcome: 'unchanged', user_id: user.id });
    } finally {
      await cases.stop();
    }
    expect(before).toMatchObject({ notify_by_whatsapp: false, whatsapp_consent: null });
    expect(await row(user)).toEqual(before);
  });
});
