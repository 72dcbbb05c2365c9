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

function failedUpdates() {
  const namespace = `${new URL(service.dbUrl).pathname.slice(1)}.deliveries`;
  return { failCommands: ['update'], namespace, errorCode: maxTimeMsExpired };
}

async function deliveredTo(webhookId: number | undefined) {
  const db = await connectDatabase(service.dbUrl);
  try {
    return await waitFor(
      () => db.collection('deliveries').findOne({ webhook_id: webhookId, status: 'delivered' }),
      { what: 'the delivery', timeoutMs: 30_000 },
    );
  } finally {
    await db.close();
  }
}

describe('an outcome that cannot be stored', () => {
  it('is stored later, and the delivery is not made again', async () => {
    const subscription = { url: receiver.urlOf('stored-later'), events: ['user.deleted'] };
    const { body } = await service.call(1, 'POST', '/v1/webhooks', subscription);
    await receiver.configure('stored-later', { secret: body.webhook?.secret, delay_ms: 1_000 });
    await siblings.identity.publish('user.deleted', { user_id: 1, partner_id: 1, version: 2 });
    await waitFor(async () => (await receiver.calls('stored-later')).length === 1);
    await mongo.failPoint('failCommand', { times: 2 }, failedUpdates());
    expect(await deliveredTo(body.webhook?.id)).toMatchObject({
      attempt_count: 1,
      attempts: [{ status: 200 }],
    });
    expect(await receiver.calls('stored-later')).toHaveLength(1);
  });

  it('does not lose what an endpoint has refused with 410, when the endpoint is switched on before that is stored', async () => {
    const subscription = { url: receiver.urlOf('gone'), events: ['user.deleted'] };
    const { body } = await service.call(2, 'POST', '/v1/webhooks', subscription);
    const path = `/v1/webhooks/${body.webhook?.id}`;
    const secret = body.webhook?.secret;
    await receiver.configure('gone', { secret, status: 410, delay_ms: 1_000 });
    await siblings.identity.publish('user.deleted', { user_id: 2, partner_id: 2, version: 2 });
    await waitFor(async () => (await receiver.calls('gone')).length === 1);
    await mongo.failPoint('failCommand', { times: 4 }, failedUpdates());
    const isInactive = async () => (await service.call(2, 'GET', path)).body.webhook?.active === false;
    await waitFor(isInactive, { what: 'the end of the endpoint', timeoutMs: 30_000, intervalMs: 20 });
    await receiver.configure('gone', { secret, status: 200 });
    const isOn = async () => (await service.call(2, 'PUT', path, { active: true })).status === 200;
    await waitFor(isOn, { what: 'the endpoint that is on again', intervalMs: 20 });
    expect(await deliveredTo(body.webhook?.id)).toMatchObject({
      attempts: [{ status: 410 }, { status: 200 }],
    });
  });
});
