import { startMongo, startNats, type TestMongo, type TestNats } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startReceiver } from '../support/receiver.ts';
import { startTestWebhooks } from '../support/start-webhooks.ts';

const first = 'the-first-secret-of-a-test-32-chars';
const second = 'the-second-secret-of-a-test-32-char';

let mongo: TestMongo;
let nats: TestNats;
beforeAll(async () => {
  [mongo, nats] = await Promise.all([startMongo(), startNats()]);
});
afterAll(async () => {
  await Promise.all([mongo.stop(), nats.stop()]);
});

const start = (ring: string) => startTestWebhooks({ mongo, nats, env: { WEBHOOKS_ENCRYPTION_KEY: ring } });

describe('the rotation of WEBHOOKS_ENCRYPTION_KEY', () => {
  it('seals every secret anew, by two replicas at once, so that the former key can be dropped', async () => {
    const receiver = await startReceiver();
    const before = await start(first);
    const headers = { 'X-Own': 'a-value' };
    const body = { url: receiver.urlOf('rotated'), events: ['*'], headers };
    for (let i = 0; i < 5; i += 1) await before.call(1, 'POST', '/v1/webhooks', body);
    const stored = await before.stored('webhooks');
    await before.stop();

    const rotating = await Promise.all([start(`${second} ${first}`), start(`${second} ${first}`)]);
    const anew = await rotating[0].stored('webhooks');
    await Promise.all(rotating.map((service) => service.stop()));
    const prefixes = (text: string) => new Set(text.match(/"1\.[\w-]{8}\./g));
    expect(prefixes(anew).size).toBe(1);
    expect(prefixes(anew)).not.toEqual(prefixes(stored));

    const after = await start(second);
    expect(await after.stored('webhooks')).toBe(anew);
    await after.stop();
    await receiver.stop();
  });

  it('does not start without the key that secrets were sealed with', async () => {
    await expect(start('another-secret-of-a-test-with-32-chars')).rejects.toThrow('not in the ring');
  });
});
