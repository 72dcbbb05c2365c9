import type { Connection } from '@casewatch/platform/database';
import {
  connectDatabase,
  startMongo,
  startNats,
  type TestMongo,
  type TestNats,
  waitFor,
} from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Siblings, startSiblings } from '../support/siblings.ts';
import { startTestWebhooks, type TestWebhooks } from '../support/start-webhooks.ts';

const shiftMs = 90_000;

let mongo: TestMongo;
let nats: TestNats;
let receiver: Receiver;
let siblings: Siblings;
let db: Connection;
let behind: TestWebhooks;
let ahead: TestWebhooks;
beforeAll(async () => {
  [mongo, nats, receiver] = await Promise.all([startMongo(), startNats(), startReceiver()]);
  siblings = await startSiblings(nats);
  const outside = { mongo, nats, totalMs: 10_000 };
  behind = await startTestWebhooks({ ...outside, shiftMs: -shiftMs });
  ahead = await startTestWebhooks({ ...outside, shiftMs });
  db = await connectDatabase(behind.dbUrl);
});
afterAll(async () => {
  await Promise.all([behind.stop(), ahead.stop()]);
  await db.close();
  await siblings.stop();
  await Promise.all([receiver.stop(), mongo.stop(), nats.stop()]);
});

const rows = () => db.collection('deliveries');

async function subscribe(hook: string, delayMs: number): Promise<number> {
  const body = { url: receiver.urlOf(hook), events: ['user.deleted'] };
  const { body: made } = await behind.call(1, 'POST', '/v1/webhooks', body);
  await receiver.configure(hook, { secret: made.webhook?.secret, delay_ms: delayMs });
  return made.webhook?.id ?? 0;
}

describe('two replicas of webhooks, one clock 90 s behind and one 90 s ahead', () => {
  it('make each delivery by one attempt, however slow the endpoint', async () => {
    // Slower than the time between two looks for what is due (500 ms).
    const id = await subscribe('slow', 3_000);
    const userIds = Array.from({ length: 8 }, (_, i) => i + 1);
    for (const user_id of userIds)
      await siblings.identity.publish('user.deleted', { user_id, partner_id: 1, version: 2 });
    const last = await waitFor(async () => {
      const under = await rows().find({ webhook_id: id, status: 'sending' }).sort({ due_at: -1 }).toArray();
      return under[0];
    });
    // What either leaves behind when it is killed is soon attempted by the other.
    expect(Math.abs(last.due_at.getTime() - Date.now())).toBeLessThan(10_000);
    await waitFor(
      async () => (await rows().countDocuments({ webhook_id: id, status: 'delivered' })) === userIds.length,
      { what: 'eight deliveries', timeoutMs: 30_000 },
    );
    expect(await rows().distinct('attempt_count', { webhook_id: id })).toEqual([1]);
    expect(await receiver.calls('slow')).toHaveLength(userIds.length);
  });

  it('order events by the clock of the database', async () => {
    const times = await db.collection('events').distinct('intake_at');
    expect(times.length).toBeGreaterThan(0);
    for (const time of times) expect(Math.abs(time.getTime() - Date.now())).toBeLessThan(shiftMs / 2);
  });

  it('attempt what failed again by the schedule, whichever of the two made the attempt', async () => {
    const id = await subscribe('refusing', 0);
    await receiver.configure('refusing', { status: 500 });
    for (const user_id of [11, 12, 13, 14])
      await siblings.identity.publish('user.deleted', { user_id, partner_id: 1, version: 2 });
    await waitFor(
      async () => (await rows().countDocuments({ webhook_id: id, attempt_count: { $gte: 3 } })) === 4,
      { what: 'three attempts of each', timeoutMs: 30_000 },
    );
  });
});
