import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  seededRandom,
  spawnProgram,
  startMongo,
  startNats,
  type TestMongo,
  type TestNats,
  waitFor,
} from '@casewatch/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Siblings, startSiblings } from '../support/siblings.ts';
import { startTestWebhooks } from '../support/start-webhooks.ts';

const seed = Number(process.env.SEED ?? randomInt(1e9));
const eventCount = Number(process.env.EVENTS ?? 150);
const kills = 3;
const hooks = ['one', 'two'];

let mongo: TestMongo;
let nats: TestNats;
let receiver: Receiver;
let siblings: Siblings;
let env: Record<string, string>;
beforeAll(async () => {
  [mongo, nats, receiver] = await Promise.all([startMongo(), startNats(), startReceiver()]);
  siblings = await startSiblings(nats);
  const service = await startTestWebhooks({ mongo, nats });
  for (const hook of hooks) {
    const subscription = { url: receiver.urlOf(hook), events: ['user.deleted'], rate_limit: 1_000 };
    const { body } = await service.call(1, 'POST', '/v1/webhooks', subscription);
    await receiver.configure(hook, { secret: body.webhook?.secret });
  }
  env = service.env;
  await service.stop();
});
afterAll(async () => {
  await siblings.stop();
  await Promise.all([receiver.stop(), mongo.stop(), nats.stop()]);
});

const startProcess = () =>
  spawnProgram(fileURLToPath(new URL('../../src/main.ts', import.meta.url)), { env });

it(`brings every event to every endpoint, with the same id and bytes, though processes are killed: EVENTS=${eventCount} SEED=${seed}`, async () => {
  const random = seededRandom(seed);
  const ids: string[] = [];
  async function publishAll(): Promise<void> {
    for (let user_id = 1; user_id <= eventCount; user_id++) {
      await delay(random(25));
      const data = { user_id, partner_id: 1, version: 2 };
      ids.push(`evt_${await siblings.identity.publish('user.deleted', data)}`);
    }
  }
  const publishing = publishAll();
  const arrived = async () => (await Promise.all(hooks.map((hook) => receiver.calls(hook)))).flat().length;
  let process = startProcess();
  for (let i = 1; i <= kills; i++) {
    const enough = random((eventCount / kills) * i);
    await waitFor(async () => (await arrived()) > enough, {
      what: 'deliveries before a kill',
      timeoutMs: 60_000,
    });
    await process.end('SIGKILL');
    process = startProcess();
  }
  await publishing;
  for (const hook of hooks) {
    const bodies = await waitFor(
      async () => {
        const calls = await receiver.calls(hook);
        const byId = Map.groupBy(calls, ({ headers }) => String(headers['webhook-id']));
        return ids.every((id) => byId.has(id)) && [...byId.values()];
      },
      { what: `${eventCount} events at ${hook}`, timeoutMs: 60_000 },
    );
    expect(bodies).toHaveLength(eventCount);
    expect(bodies.filter((calls) => new Set(calls.map(({ body }) => body)).size > 1)).toEqual([]);
    expect(bodies.flat().filter(({ signature_ok }) => !signature_ok)).toEqual([]);
  }
  await process.end('SIGKILL');
});
