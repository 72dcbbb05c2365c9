import {
  shiftWallClock,
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

const hourMs = 60 * 60_000;
/** Receivers refuse a timestamp that is further away (Standard Webhooks), s. */
const toleranceS = 5 * 60;

let mongo: TestMongo;
let nats: TestNats;
let receiver: Receiver;
let siblings: Siblings;
let service: TestWebhooks;
beforeAll(async () => {
  [mongo, nats, receiver] = await Promise.all([startMongo(), startNats(), startReceiver()]);
  siblings = await startSiblings(nats);
  service = await startTestWebhooks({ mongo, nats, totalMs: 10_000 });
});
afterAll(async () => {
  await service.stop();
  await siblings.stop();
  await Promise.all([receiver.stop(), mongo.stop(), nats.stop()]);
});

describe('the timestamp of a webhook call', () => {
  it.each([hourMs, -hourMs, 6 * 60_000, -6 * 60_000, 90_000])(
    'is the right one where the clock of the machine is set by %d ms',
    async (ms) => {
      const hook = `set-by-${ms}`;
      const body = { url: receiver.urlOf(hook), events: ['user.deleted'] };
      await service.call(1, 'POST', '/v1/webhooks', body);
      const rightS = () => (performance.timeOrigin + performance.now()) / 1_000;
      const setRight = shiftWallClock(ms);
      try {
        await siblings.identity.publish('user.deleted', { user_id: 7_000, partner_id: 1, version: 2 });
        const [call] = await waitFor(
          async () => {
            const calls = await receiver.calls(hook);
            return calls.length > 0 && calls;
          },
          { what: 'the call', timeoutMs: 30_000 },
        );
        const differenceS = Number(call?.headers['webhook-timestamp']) - rightS();
        expect(Math.abs(differenceS)).toBeLessThan(Math.min(toleranceS, 60));
      } finally {
        setRight();
      }
    },
  );
});
