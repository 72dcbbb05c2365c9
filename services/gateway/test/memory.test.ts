import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Flood, type FloodEnd, flood } from './support/flood.ts';
import { startGatewayProcess } from './support/gateway-process.ts';
import { keysOfPartner } from './support/identity-answers.ts';
import { startTestGateway } from './support/start-gateway.ts';

const signed = { 'svix-signature': 'c2lnbmVk' };
const callback = { path: '/v1/callbacks/email/sendgrid', headers: signed, bytes: 1024 * 1024 - 1 };
const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };

/** MiB that a flood may add to the memory of the gateway. */
const mayGrow = 40;

const statusOf = ({ status }: FloodEnd) => status;

/** Only Linux tells the memory of another process in a file. */
const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('the memory of a gateway that is flooded', () => {
  let behind: Awaited<ReturnType<typeof startTestGateway>>;
  beforeAll(async () => {
    behind = await startTestGateway((origin) => ({ NOTIFIER_URL: origin }));
  });
  afterAll(async () => {
    await behind.stop();
  });

  it.each<[string, Omit<Flood, 'port'>]>([
    ['150 slow callbacks of 1 MiB', { ...callback, count: 150 }],
    ['3,000 slow callbacks of 1 MiB', { ...callback, count: 3_000 }],
    ['3,000 slow callbacks without Content-Length', { ...callback, count: 3_000, form: 'chunked' }],
    [
      '1,000 bodies with keys that are not valid',
      {
        path: '/v1/check',
        headers: { 'x-api-key': 'no', 'x-api-secret': 'no' },
        bytes: 16_384,
        count: 1_000,
      },
    ],
    ['3,000 slow forms', { path: '/sign-in', headers: form, bytes: 16_384, count: 3_000 }],
    [
      '3,000 slow bodies of a partner',
      { path: '/v1/client/users', headers: keysOfPartner(2), bytes: 16_384, count: 3_000 },
    ],
    ['2,000 slow headers', { path: '/v1/status', form: 'headers', bytes: 12_000, count: 2_000 }],
  ])('grows by less than 40 MiB, and others are served: %s', async (_what, attack) => {
    const gateway = await startGatewayProcess(behind.env);
    const profile = async () =>
      (await fetch(`${gateway.url}/v1/client/profile`, { headers: keysOfPartner(3) })).status;
    /** As a client that tries again once: on a machine that is slow enough, the first try may meet a time limit. */
    const patientProfile = async () => {
      const status = await profile();
      return status === 503 ? await profile() : status;
    };
    try {
      // What a gateway needs for its first requests and pages is not part of a flood.
      for (let i = 0; i < 100; i += 1) {
        expect(await profile()).toBe(200);
        await (await fetch(`${gateway.url}/`, { headers: { accept: 'text/html' } })).text();
      }
      const idle = gateway.residentMiB();
      let highest = idle;
      const others: number[] = [];
      let isOver = false;
      const watched = (async () => {
        while (!isOver) {
          others.push(await patientProfile());
          // Slower than the partner's own limit, however long the flood takes.
          for (let i = 0; i < 10; i += 1) {
            highest = Math.max(highest, gateway.residentMiB());
            await delay(20);
          }
        }
      })();
      const ends = await flood({ port: gateway.port, ...attack });
      isOver = true;
      await watched;
      highest = Math.max(highest, gateway.residentMiB());
      expect(highest - idle).toBeLessThan(mayGrow);
      expect(new Set(others)).toEqual(new Set([200]));
      // A connection that is closed before its first byte was read gets 503, which its client can miss.
      expect([0, 401, 408, 429, 503]).toEqual(expect.arrayContaining([...new Set(ends.map(statusOf))]));
      const refused = ends.filter(({ status }) => status === 429 || status === 503);
      expect(refused.every(({ retryAfter }) => Number(retryAfter) >= 1)).toBe(true);
      expect(refused.length).toBeGreaterThan(0);
    } finally {
      await gateway.stop();
    }
  });

  it('takes a signed callback of 1 MiB less one byte, alone and beside slow ones', async () => {
    const gateway = await startGatewayProcess(behind.env);
    const send = () =>
      fetch(gateway.url + callback.path, {
        method: 'POST',
        headers: { ...signed, 'content-type': 'application/json' },
        body: 'x'.repeat(callback.bytes),
      });
    try {
      Object.assign(behind.answer, { status: 204, body: '' });
      expect((await send()).status).toBe(204);
      const taken = behind.seen.filter(({ url }) => url === callback.path);
      expect(taken.map(({ body }) => body.length)).toEqual([callback.bytes]);
      const slow = flood({ port: gateway.port, ...callback, count: 2 });
      expect((await send()).status).toBe(204);
      expect((await slow).map(statusOf)).toEqual([408, 408]);
    } finally {
      Object.assign(behind.answer, { status: 200, body: '{"ok":true}' });
      await gateway.stop();
    }
  });
});
