import {
  connectDatabase,
  type FailingMongo,
  startFailingMongo,
  startNats,
  type TestNats,
  waitFor,
} from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Siblings, startSiblings } from '../support/siblings.ts';
import { startTestWebhooks, type TestWebhooks } from '../support/start-webhooks.ts';

const maxTimeMsExpired = 50;

let mongo: FailingMongo;
let nats: TestNats;
let receiver: Receiver;
let siblings: Siblings;
let service: TestWebhooks;
beforeAll(async () => {
  [mongo, nats, receiver] = await Promise.all([startFailingMongo(), startNats(), startReceiver()]);
  siblings = await startSiblings(nats);
  service = await startTestWebhooks({ mongo, nats, totalMs: 10_000 });
});
afterAll(async () => {
  await service.stop();
  await siblings.stop();
  await Promise.all([receiver.stop(), mongo.stop(), nats.stop()]);
});

describe('an outcome that cannot be stored', () => {
  it('is stored later, and the delivery is not made again', async () => {
    const subscription = { url: receiver.urlOf('stored-later'), events: ['user.deleted'] };
    const { body } = await service.call(1, 'POST', '/v1/webhooks', subscription);
    await receiver.configure('stored-later', { secret: body.webhook?.secret, delay_ms: 1_000 });
    await siblings.identity.publish('user.deleted', { user_id: 1, partner_id: 1, version: 2 });
    await waitFor(async () => (await receiver.calls('stored-later')).length === 1);
    const namespace = `${new URL(service.dbUrl).pathname.slice(1)}.deliveries`;
    const failure = { failCommands: ['update'], namespace, errorCode: maxTimeMsExpired };
    await mongo.failPoint('failCommand', { times: 2 }, failure);
    const db = await connectDatabase(service.dbUrl);
    const delivered = await waitFor(
      () => db.collection('deliveries').findOne({ webhook_id: body.webhook?.id, status: 'delivered' }),
      { what: 'the outcome', timeoutMs: 20_000 },
    );
    await db.close();
    expect(delivered).toMatchObject({ attempt_count: 1, attempts: [{ status: 200 }] });
    expect(await receiver.calls('stored-later')).toHaveLength(1);
  }, 60_000);
});
