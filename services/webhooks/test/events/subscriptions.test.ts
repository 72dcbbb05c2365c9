import { startMongo, startNats, type TestMongo, type TestNats, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Siblings, startSiblings } from '../support/siblings.ts';
import { startTestWebhooks, type TestWebhooks } from '../support/start-webhooks.ts';

const rounds = 6;

let mongo: TestMongo;
let nats: TestNats;
let receiver: Receiver;
let siblings: Siblings;
let replicas: TestWebhooks[] = [];
beforeAll(async () => {
  [mongo, nats, receiver] = await Promise.all([startMongo(), startNats(), startReceiver()]);
  siblings = await startSiblings(nats);
  replicas = [await startTestWebhooks({ mongo, nats }), await startTestWebhooks({ mongo, nats })];
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await siblings.stop();
  await Promise.all([receiver.stop(), mongo.stop(), nats.stop()]);
});

const ids = async (hook: string) => (await receiver.calls(hook)).map(({ headers }) => headers['webhook-id']);

describe('two replicas that cache subscriptions', () => {
  it('obey a change that any of them has answered, with the next event', async () => {
    const expected: string[] = [];
    const [first] = replicas;
    const url = receiver.urlOf('changing');
    const made = await first?.call(1, 'POST', '/v1/webhooks', { url, events: ['*'] });
    const path = `/v1/webhooks/${made?.body.webhook?.id}`;
    for (let round = 0; round < rounds; round++) {
      for (const isSubscribed of [true, false]) {
        const change = { events: [isSubscribed ? 'user.deleted' : 'case.created'] };
        const answer = await replicas[round % 2]?.call(1, 'PUT', path, change);
        expect(answer?.status).toBe(200);
        // Enough events for both replicas.
        const userIds = [1, 2, 3, 4].map((i) => round * 100 + i + (isSubscribed ? 0 : 50));
        const busIds = await Promise.all(
          userIds.map((user_id) =>
            siblings.identity.publish('user.deleted', { user_id, partner_id: 1, version: 2 }),
          ),
        );
        if (isSubscribed) expected.push(...busIds.map((id) => `evt_${id}`));
        const stored = async () => {
          const rows = await Promise.all(replicas.map((replica) => replica.stored('events')));
          return busIds.every((id) => rows[0]?.includes(id));
        };
        await waitFor(stored, { what: 'the intake of the events' });
      }
    }
    await waitFor(async () => (await ids('changing')).length >= expected.length, { what: 'the deliveries' });
    expect((await ids('changing')).sort()).toEqual(expected.sort());
  });
});
