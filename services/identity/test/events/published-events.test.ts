import { type EventType, subscriptionsOf } from '@casewatch/contracts';
import type { EventHandlers } from '@casewatch/platform';
import { type Sibling, startSibling, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makePartner, makeUser, type TestPartner } from '../support/people.ts';
import {
  type Servers,
  startServers,
  startTestIdentity,
  type TestIdentity,
} from '../support/start-identity.ts';

let servers: Servers;
let identity: TestIdentity;
let cases: Sibling<'cases'>;
let partner: TestPartner;
const heard: { type: EventType; data: unknown }[] = [];

beforeAll(async () => {
  servers = await startServers();
  identity = await startTestIdentity({}, {}, servers);
  cases = await startSibling('cases', servers.nats);
  const types = subscriptionsOf('cases').flatMap((subscription) => subscription.types);
  const note = (type: EventType) => async (data: unknown) => void heard.push({ type, data });
  const handlers: EventHandlers = Object.fromEntries(types.map((type) => [type, note(type)]));
  await cases.consume(handlers);
  partner = await makePartner(identity, 'Law Firm');
});
afterAll(async () => {
  await cases.stop();
  await identity.stop();
  await Promise.all([servers.mongo.stop(), servers.nats.stop()]);
});

describe('what identity tells the others', () => {
  it('is each change of a user with its version, and nothing personal', async () => {
    const fields = { name: 'Maria Silva', phone: '+12025550123' };
    const user = await makeUser(identity, partner, fields);
    const body = { status: 'inactive', name: 'Ana Souza' };
    await identity.call('PUT', `/v1/client/users/${user.id}`, { as: partner.as, body });
    await waitFor(() => heard.length === 2, { what: 'two events' });
    const about = { user_id: user.id, partner_id: partner.as.partner_id };
    expect(heard).toEqual([
      { type: 'user.created', data: { ...about, status: 'active', version: 1 } },
      { type: 'user.updated', data: { ...about, status: 'inactive', version: 2 } },
    ]);
    const outbox = JSON.stringify(await identity.db.collection('outbox').find().toArray());
    for (const personal of [user.email, fields.name, fields.phone, body.name]) {
      expect(outbox).not.toContain(personal);
    }
  });
});
