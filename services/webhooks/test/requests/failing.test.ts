import type { Bus } from '@casewatch/platform';
import {
  connectAs,
  connectDatabase,
  startMongo,
  startNats,
  type TestMongo,
  type TestNats,
} from '@casewatch/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestWebhooks, type TestWebhooks } from '../support/start-webhooks.ts';

let mongo: TestMongo;
let nats: TestNats;
let webhooks: TestWebhooks;
let notifier: Bus;
beforeAll(async () => {
  [mongo, nats] = await Promise.all([startMongo(), startNats()]);
  webhooks = await startTestWebhooks({ mongo, nats });
  notifier = await connectAs(nats, 'notifier');
});
afterAll(async () => {
  await notifier.stop();
  await webhooks.stop();
  await Promise.all([mongo.stop(), nats.stop()]);
});

it('the endpoints of a partner that fail, or were disabled lately, are answered with their host alone', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const endpoint = (id: number, over: object = {}) => ({
    _id: id as never,
    ...{ partner_id: 7, url: `https://hook-${id}.example/secret-path?key=secret`, active: true },
    ...{ failing_since: null, disabled_at: null, created_at: daysAgo(30) },
    ...over,
  });
  const db = await connectDatabase(webhooks.dbUrl);
  try {
    await db
      .collection('webhooks')
      .insertMany([
        endpoint(1),
        endpoint(2, { failing_since: daysAgo(2) }),
        endpoint(3, { active: false, failing_since: daysAgo(9), disabled_at: daysAgo(4) }),
        endpoint(4, { active: false, failing_since: daysAgo(20), disabled_at: daysAgo(8) }),
        endpoint(5, { active: false, failing_since: daysAgo(2) }),
        endpoint(6, { partner_id: 8, failing_since: daysAgo(2) }),
      ]);
  } finally {
    await db.close();
  }
  const { endpoints } = await notifier.request('webhooks.failing', { partner_id: 7 });
  expect(endpoints.map(({ id, host, disabled }) => ({ id, host, disabled }))).toEqual([
    { id: 3, host: 'hook-3.example', disabled: true },
    { id: 2, host: 'hook-2.example', disabled: false },
  ]);
  expect(endpoints[0]?.at.slice(0, 10)).toBe(daysAgo(4).toISOString().slice(0, 10));
  expect(JSON.stringify(endpoints)).not.toContain('secret');
  expect(await notifier.request('webhooks.failing', { partner_id: 9 })).toEqual({ endpoints: [] });
});
