import { fileURLToPath } from 'node:url';
import {
  spawnProgram,
  startMongo,
  startNats,
  type TestMongo,
  type TestNats,
  waitFor,
} from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Siblings, startSiblings } from '../support/siblings.ts';
import { startTestWebhooks, type TestWebhooks } from '../support/start-webhooks.ts';

type Row = { _id: string; claim: string | null; due_at: Date | null; attempt_count: number };

/** What the deployment promises of a killed pod (deploy.md), and an event's wait for its acknowledgement; ms. */
const promisedMs = 30_000;
const ackWaitMs = 10_000;
const sweepMs = 500;

let mongo: TestMongo;
let nats: TestNats;
let receiver: Receiver;
let siblings: Siblings;
let client: mongoose.mongo.MongoClient;
let service: TestWebhooks;
beforeAll(async () => {
  [mongo, nats, receiver] = await Promise.all([startMongo({ own: true }), startNats(), startReceiver()]);
  siblings = await startSiblings(mongo, nats);
  service = await startTestWebhooks({ mongo, nats });
  client = await new mongoose.mongo.MongoClient(service.dbUrl).connect();
});
afterAll(async () => {
  await service.stop();
  await client.close();
  await siblings.stop();
  await Promise.all([receiver.stop(), mongo.stop(), nats.stop()]);
});

const rows = () => client.db().collection<Row>('deliveries');

/** A process that is attempting a delivery to a slow endpoint, and nobody else is there yet. */
async function attempting(hook: string, userId: number) {
  const { body } = await service.call(1, 'POST', '/v1/webhooks', {
    url: receiver.urlOf(hook),
    events: ['user.deleted'],
  });
  await receiver.configure(hook, { secret: body.webhook?.secret, delay_ms: 12_000 });
  await service.stop();
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const { end } = spawnProgram(main, { env: service.env });
  await siblings.identity.publish('user.deleted', { user_id: userId, partner_id: 1, version: 2 });
  await waitFor(async () => (await receiver.calls(hook)).length === 1, { what: 'the first attempt' });
  return {
    webhookId: body.webhook?.id,
    kill: () => end('SIGKILL'),
  };
}

describe('a process of webhooks that is killed in the middle of an attempt', () => {
  it('leaves a claim so short that another delivers well within the promise', async () => {
    const holder = await attempting('killed', 1);
    await holder.kill();
    const killedAt = Date.now();
    const left = await rows().findOne({ webhook_id: holder.webhookId });
    const leftMs = (left?.due_at?.getTime() ?? Number.POSITIVE_INFINITY) - killedAt;
    // At the worst an event waited for its acknowledgement before it came to the one that was killed then.
    expect(ackWaitMs + leftMs + sweepMs).toBeLessThan(promisedMs - ackWaitMs);
    await receiver.configure('killed', { delay_ms: 0 });
    service = await startTestWebhooks({ mongo, nats });
    const delivered = await waitFor(
      () => rows().findOne({ webhook_id: holder.webhookId, status: 'delivered' }),
      { what: 'the delivery', timeoutMs: promisedMs },
    );
    expect(delivered).toMatchObject({ attempt_count: 2 });
    const [first, again] = await receiver.calls('killed');
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(again?.body).toBe(first?.body);
  }, 90_000);

  it('keeps its claim while it lives, however long the attempt', async () => {
    const holder = await attempting('slow', 2);
    service = await startTestWebhooks({ mongo, nats });
    try {
      const delivered = await waitFor(
        () => rows().findOne({ webhook_id: holder.webhookId, status: 'delivered' }),
        { what: 'the delivery', timeoutMs: promisedMs },
      );
      expect(delivered).toMatchObject({ attempt_count: 1 });
      expect(await receiver.calls('slow')).toHaveLength(1);
    } finally {
      await holder.kill();
    }
  }, 90_000);
});
