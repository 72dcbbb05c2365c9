import { fileURLToPath } from 'node:url';
import { connectDatabase, spawnProgram, startMongo, startNats, waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../support/receiver.ts';
import { startSiblings } from '../support/siblings.ts';
import { startTestWebhooks } from '../support/start-webhooks.ts';

type Row = { _id: string; claim: string | null; due_at: Date | null; attempt_count: number };

/** What the deployment promises of a killed pod (deploy.md), and an event's wait for its acknowledgement; ms. */
const promisedMs = 30_000;
const ackWaitMs = 10_000;
const sweepMs = 500;

/** A process that is attempting a delivery to the slow hook, in a world of its own, and nobody else is there yet. */
async function attempting(cleanUps: AsyncDisposableStack) {
  const [mongo, nats, receiver] = await Promise.all([startMongo(), startNats(), startReceiver()]);
  for (const { stop } of [mongo, nats, receiver]) cleanUps.defer(stop);
  const siblings = await startSiblings(nats);
  cleanUps.defer(siblings.stop);
  const maker = await startTestWebhooks({ mongo, nats });
  const db = await connectDatabase(maker.dbUrl);
  cleanUps.defer(() => db.close());
  const { body } = await maker.call(1, 'POST', '/v1/webhooks', {
    url: receiver.urlOf('slow'),
    events: ['user.deleted'],
  });
  await receiver.configure('slow', { secret: body.webhook?.secret, delay_ms: 12_000 });
  await maker.stop();
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const { end } = spawnProgram(main, { env: maker.env });
  const kill = () => end('SIGKILL');
  cleanUps.defer(kill);
  await siblings.identity.publish('user.deleted', { user_id: 1, partner_id: 1, version: 2 });
  await waitFor(async () => (await receiver.calls('slow')).length === 1, { what: 'the first attempt' });
  const rows = db.collection<Row>('deliveries');
  return {
    rows,
    receiver,
    kill,
    /** Another process of the same service. */
    async startAnother() {
      cleanUps.defer((await startTestWebhooks({ mongo, nats })).stop);
    },
    delivered: () =>
      waitFor(() => rows.findOne({ status: 'delivered' }), { what: 'the delivery', timeoutMs: promisedMs }),
  };
}

describe('a process of webhooks that is killed in the middle of an attempt', () => {
  it('leaves a claim so short that another delivers well within the promise', async () => {
    await using cleanUps = new AsyncDisposableStack();
    const { rows, receiver, kill, startAnother, delivered } = await attempting(cleanUps);
    await kill();
    const killedAt = Date.now();
    const left = await rows.findOne({});
    const leftMs = (left?.due_at?.getTime() ?? Number.POSITIVE_INFINITY) - killedAt;
    // At the worst an event waited for its acknowledgement before it came to the one that was killed then.
    expect(ackWaitMs + leftMs + sweepMs).toBeLessThan(promisedMs - ackWaitMs);
    await receiver.configure('slow', { delay_ms: 0 });
    await startAnother();
    expect(await delivered()).toMatchObject({ attempt_count: 2 });
    const [first, again] = await receiver.calls('slow');
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(again?.body).toBe(first?.body);
  });

  it('keeps its claim while it lives, however long the attempt', async () => {
    await using cleanUps = new AsyncDisposableStack();
    const { receiver, startAnother, delivered } = await attempting(cleanUps);
    await startAnother();
    expect(await delivered()).toMatchObject({ attempt_count: 1 });
    expect(await receiver.calls('slow')).toHaveLength(1);
  });
});
