import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestNotifier, type TestNotifier } from '../support/notifier.ts';
import { makePartner, makeUser } from '../support/people.ts';
import {
  type Servers,
  startServers,
  startTestIdentity,
  type TestIdentity,
} from '../support/start-identity.ts';

const shiftMs = 90_000;
const shiftedClock = (ms: number) => ({ now: () => new Date(Date.now() + ms) });

let servers: Servers;
let behind: TestIdentity;
let ahead: TestIdentity;
let notifier: TestNotifier;
beforeAll(async () => {
  servers = await startServers();
  // An answer takes about as long as the time between two looks (2 s), and less than its asker waits (2 s).
  notifier = await startTestNotifier(servers.nats, 1_500);
  behind = await startTestIdentity({}, {}, servers, shiftedClock(-shiftMs));
  ahead = await startTestIdentity({}, {}, servers, shiftedClock(shiftMs));
});
afterAll(async () => {
  await Promise.all([behind.stop(), ahead.stop()]);
  await notifier.stop();
  await Promise.all([servers.nats.stop(), servers.mongo.stop()]);
});

describe('two replicas of identity, one clock 90 s behind and one 90 s ahead', () => {
  it.each([
    ['behind', () => behind],
    ['ahead', () => ahead],
  ])('hand each mail over once, immediately, whichever was asked: %s', async (_, asked) => {
    const partner = await makePartner(asked(), 'Law Firm');
    const rows = behind.db.collection('email_verifications');
    // One after another, over several looks of the other replica.
    for (let i = 0; i < 4; i += 1) {
      const { id, email } = await makeUser(asked(), partner);
      const row = await waitFor(() => rows.findOne({ user_id: id, 'delivery.status': 'sent' }), {
        what: 'the mail handed over',
      });
      expect(row.delivery.attempts).toBe(1);
      expect(notifier.sent.filter(({ to }) => to === email)).toHaveLength(1);
    }
  });
});
