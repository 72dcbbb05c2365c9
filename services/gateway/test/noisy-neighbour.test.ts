import { problem } from '@casewatch/contracts';
import { createKeyedMutex } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keysOfPartner } from './support/identity-answers.ts';
import { beginSlowRequest } from './support/slow-request.ts';
import { startTestGateway } from './support/start-gateway.ts';

type Gateway = Awaited<ReturnType<typeof startTestGateway>>;
type Headers = Record<string, string>;

const signed = { 'x-twilio-signature': 'c2lnbmVk', 'content-type': 'application/x-www-form-urlencoded' };
const from = (address: string) => ({ 'x-forwarded-for': address });

const start = () => startTestGateway((behind) => ({ NOTIFIER_URL: behind, TRUSTED_HOPS: '1' }));

const userOf = (gateway: Gateway, id: number) => ({
  authorization: `Bearer ${gateway.identity.token({ sub: String(id), sid: `s${id}` })}`,
});

async function getFrom(gateway: Gateway, path: string, headers: Headers) {
  const started = performance.now();
  const response = await fetch(gateway.url + path, { headers });
  return { response, status: response.status, ms: performance.now() - started };
}

describe('a noisy neighbour that sends slowly', () => {
  const inTurn = createKeyedMutex<'measured'>();
  const user = (id: number) => (gateway: Gateway) => userOf(gateway, id);

  it.each<[string, string, (gateway: Gateway) => Headers, string, (gateway: Gateway) => Headers]>([
    [
      'identity, as a partner',
      '/v1/client/users',
      () => keysOfPartner(2),
      '/v1/client/users',
      () => keysOfPartner(3),
    ],
    ['identity, as a stranger', '/v1/auth/login-code', () => from('192.0.2.1'), '/v1/users/8', user(8)],
    ['cases', '/v1/check', user(9), '/v1/users/8/cases', user(8)],
    ['webhooks', '/v1/webhooks', () => keysOfPartner(2), '/v1/webhooks', () => keysOfPartner(3)],
    [
      'notifier, with callbacks',
      '/v1/callbacks/twilio',
      () => ({ ...from('192.0.2.1'), ...signed }),
      '/v1/unsubscribe?token=x',
      () => from('192.0.2.2'),
    ],
  ])(
    'with 70 slow bodies does not delay what others ask of %s',
    async (_what, slowPath, noisy, path, other) => {
      await using cleanUps = new AsyncDisposableStack();
      // Together they only wait for the answers: what is measured runs alone.
      const slow = await inTurn('measured', async () => {
        const gateway = await start();
        cleanUps.defer(gateway.stop);
        const headers = noisy(gateway);
        const begun = await Promise.all(
          Array.from({ length: 70 }, () => beginSlowRequest({ port: gateway.port, path: slowPath, headers })),
        );
        const { status, ms } = await getFrom(gateway, path, other(gateway));
        expect(status).toBe(200);
        expect(ms).toBeLessThan(500);
        return begun;
      });
      const statuses = await Promise.all(slow.map(async (request) => (await request.answer).status));
      expect(new Set(statuses)).toEqual(new Set([408]));
    },
  );
});

describe('a noisy neighbour', () => {
  let gateway: Gateway;
  beforeEach(async () => {
    gateway = await start();
  });
  afterEach(async () => {
    await gateway.stop();
  });

  const user = (id: number) => userOf(gateway, id);
  const get = (path: string, headers: Headers) => getFrom(gateway, path, headers);

  it('leaves 64 connections hanging: the next request is 503 within 2.5 s, and is not sent later', async () => {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    gateway.answer.held = promise;
    // A live check may take 10 s.
    const check = (id: number) =>
      fetch(`${gateway.url}/v1/check`, {
        method: 'POST',
        headers: { ...user(id), 'content-type': 'application/json' },
        body: '{}',
      });
    const hanging = Array.from({ length: 66 }, (_, i) => check(100 + (i % 11)));
    await waitFor(() => gateway.seen.length === 64, { what: '64 requests under way' });

    const late = await get('/v1/users/8/cases', user(8));
    expect(late.status).toBe(503);
    expect(late.ms).toBeLessThan(2_800);
    expect(late.response.headers.get('retry-after')).toBe('5');
    expect(problem.parse(await late.response.json()).code).toBe('service_unavailable');

    gateway.answer.held = undefined;
    release();
    expect(new Set((await Promise.all(hanging)).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await get('/v1/users/8/cases', user(8))).status).toBe(200);
    expect(gateway.seen.filter(({ url }) => url === '/v1/users/8/cases')).toHaveLength(1);
  });

  it('has at most 8 requests under way, and the rest of its requests waits', async () => {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    gateway.answer.held = promise;
    const noisy = Array.from({ length: 20 }, () => get('/v1/client/users', keysOfPartner(2)));
    await waitFor(() => gateway.seen.length >= 8, { what: '8 requests under way' });
    const other = get('/v1/client/users', keysOfPartner(3));
    await waitFor(() => gateway.seen.length >= 9, { what: "the other partner's request" });
    expect(gateway.seen.length).toBe(9);

    gateway.answer.held = undefined;
    release();
    const statuses = await Promise.all([other, ...noisy].map(async (answer) => (await answer).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(gateway.seen.length).toBe(21);
  });

  it('is told after half of the time limit that its request waited too long, and the request is not sent', async () => {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    gateway.answer.held = promise;
    const underWay = Array.from({ length: 8 }, () => get('/v1/client/users', keysOfPartner(2)));
    await waitFor(() => gateway.seen.length === 8, { what: '8 requests under way' });
    const { status, ms } = await get('/v1/client/users', keysOfPartner(2));
    expect(status).toBe(429);
    expect(ms).toBeLessThan(2_400);

    gateway.answer.held = undefined;
    release();
    await Promise.all(underWay);
    expect(gateway.seen.length).toBe(8);
  });

  it('that waits for 6 live checks still reads', async () => {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    gateway.answer.held = promise;
    const headers = { ...keysOfPartner(2), 'content-type': 'application/json' };
    const checks = Array.from({ length: 9 }, () =>
      fetch(`${gateway.url}/v1/check`, { method: 'POST', headers, body: '{}' }),
    );
    await waitFor(() => gateway.seen.length === 6, { what: '6 live checks under way' });
    gateway.answer.held = undefined;
    expect((await get('/v1/client/cases', keysOfPartner(2))).status).toBe(200);
    expect(gateway.seen.length).toBe(7);

    release();
    expect(new Set((await Promise.all(checks)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('that asks for more than 136 answers at once is told so', async () => {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    gateway.answer.held = promise;
    const refused: Awaited<ReturnType<typeof get>>[] = [];
    const asked = Array.from({ length: 140 }, async () => {
      const answer = await get('/v1/client/users', keysOfPartner(2));
      if (answer.status === 429) refused.push(answer);
      return answer.status;
    });
    await waitFor(() => refused.length === 4, { what: 'four refusals' });
    const [first] = refused;
    expect(first?.response.headers.get('retry-after')).toBe('1');
    expect(problem.parse(await first?.response.json()).code).toBe('rate_limited');

    gateway.answer.held = undefined;
    release();
    const statuses = await Promise.all(asked);
    expect(statuses.filter((status) => status === 200)).toHaveLength(136);
  });
});
