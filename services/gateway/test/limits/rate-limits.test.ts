import { problem } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { apiKey, apiSecret, keysOfPartner } from '../support/identity-answers.ts';
import { startTestGateway } from '../support/start-gateway.ts';

const keys = { 'x-api-key': apiKey, 'x-api-secret': apiSecret };
const wrongKeys = { ...keys, 'x-api-secret': 'wrong' };

describe('rate limits: 2 a minute for an address, 5 for a partner, 3 for a user', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  beforeEach(async () => {
    gateway = await startTestGateway((behind) => ({
      RATE_LIMIT_ADDRESS_PER_MINUTE: '4',
      RATE_LIMIT_PARTNER_PER_MINUTE: '10',
      RATE_LIMIT_USER_PER_MINUTE: '6',
      RATE_LIMIT_SCALE: '0.5',
      TRUSTED_HOPS: '1',
      NOTIFIER_URL: behind,
    }));
  });
  afterEach(async () => {
    await gateway.stop();
  });

  const get = (path: string, headers: Record<string, string> = {}) => fetch(gateway.url + path, { headers });
  const bearer = (claims: object = {}) => ({ authorization: `Bearer ${gateway.identity.token(claims)}` });
  /** What identity was asked beside the gateway's own questions. */
  const questionsAfter = (start: number) =>
    gateway.identity.asked.slice(start).filter(({ name }) => /authenticate|session/.test(name));
  const limitOf = ({ status, headers }: Response) => [
    status,
    headers.get('ratelimit-policy'),
    headers.get('ratelimit'),
  ];
  const statusesOf = async (times: number, ask: () => Promise<Response>) => {
    const statuses: number[] = [];
    for (let i = 0; i < times; i++) statuses.push((await ask()).status);
    return statuses;
  };

  it('tells a partner its limit on every answer, and 429 when it is used up', async () => {
    expect(limitOf(await get('/v1/client/users', keys))).toEqual([
      200,
      '"partner";q=5;w=60',
      '"partner";r=4;t=60',
    ]);
    Object.assign(gateway.answer, { status: 404, body: '{"code":"user_not_found"}' });
    expect(limitOf(await get('/v1/client/users/9', keys))).toEqual([
      404,
      '"partner";q=5;w=60',
      '"partner";r=3;t=60',
    ]);
    expect(await statusesOf(3, () => get('/v1/client/users/9', keys))).toEqual([404, 404, 404]);
    const seen = gateway.seen.length;
    const refused = await get('/v1/client/users/9', keys);
    expect(limitOf(refused)).toEqual([
      429,
      '"partner";q=5;w=60',
      expect.stringMatching(/^"partner";r=0;t=(60|59)$/),
    ]);
    expect(refused.headers.get('retry-after')).toBe(refused.headers.get('ratelimit')?.split('t=')[1]);
    expect(problem.parse(await refused.json())).toMatchObject({ code: 'rate_limited', retryable: true });
    expect(gateway.seen).toHaveLength(seen);
  });

  it('counts each user separately, whichever keys are sent too', async () => {
    expect(limitOf(await get('/v1/users/7', { ...keys, ...bearer() }))).toEqual([
      200,
      '"user";q=3;w=60',
      '"user";r=2;t=60',
    ]);
    expect(await statusesOf(3, () => get('/v1/users/7', bearer()))).toEqual([200, 200, 429]);
    expect(await statusesOf(1, () => get('/v1/users/8', bearer({ sub: '8' })))).toEqual([200]);
    expect(limitOf(await get('/v1/client/users', keys))[2]).toBe('"partner";r=4;t=60');
  });

  it('answers failed keys 401, then 429 whatever comes from the address without valid ones; a partner known there passes', async () => {
    expect((await get('/v1/client/users', keys)).status).toBe(200);
    const failed = await get('/v1/client/users', wrongKeys);
    expect(limitOf(failed)).toEqual([401, '"address";q=2;w=60', '"address";r=1;t=60']);
    expect(await statusesOf(2, () => get('/v1/client/users', wrongKeys))).toEqual([401, 429]);
    expect((await get('/v1/users/7', bearer({ sid: 'ended' }))).status).toBe(429);
    expect((await get('/v1/client/users')).status).toBe(429);
    expect((await get('/v1/users/verify-email?token=x')).status).toBe(429);
    expect((await get('/v1/client/users', keys)).status).toBe(200);
    expect((await get('/v1/client/users', { ...wrongKeys, 'x-forwarded-for': '203.0.113.7' })).status).toBe(
      401,
    );
  });

  it('counts open operations by address, all of an IPv6 /64 as one', async () => {
    const open = (address: string) => get('/v1/users/verify-email?token=x', { 'x-forwarded-for': address });
    expect(limitOf(await open('2001:db8::1'))).toEqual([200, '"address";q=2;w=60', '"address";r=1;t=60']);
    expect((await open('2001:db8::ffff:2')).status).toBe(200);
    expect((await open('2001:db8::3')).status).toBe(429);
    expect((await open('2001:db8:0:1::1')).status).toBe(200);
  });

  it('says 403 before 429, and counts it', async () => {
    expect(limitOf(await get('/v1/webhooks', keys))).toEqual([
      403,
      '"partner";q=5;w=60',
      '"partner";r=4;t=60',
    ]);
    expect(await statusesOf(5, () => get('/v1/webhooks', keys))).toEqual([403, 403, 403, 403, 403]);
    const large = { method: 'POST', headers: keys, body: 'x'.repeat(17_000) };
    expect((await fetch(`${gateway.url}/v1/client/users`, large)).status).toBe(429);
  });

  it('asks identity nothing for an address over its limit, but about credentials that it vouched for', async () => {
    const known = keysOfPartner(2);
    expect((await get('/v1/client/users', known)).status).toBe(200);
    expect(await statusesOf(2, () => get('/v1/client/users', wrongKeys))).toEqual([401, 401]);
    const asked = gateway.identity.asked.length;
    const seen = gateway.seen.length;

    for (const ask of [
      () => get('/v1/client/users', wrongKeys),
      () => get('/v1/client/users', keysOfPartner(3)),
      () => get('/v1/users/8', bearer({ sub: '8' })),
      () => get('/v1/users/verify-email?token=x'),
    ]) {
      const refused = await ask();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.any(String)]);
    }
    expect(questionsAfter(asked)).toEqual([]);
    expect(gateway.seen).toHaveLength(seen);

    expect((await get('/v1/client/users', known)).status).toBe(200);
    // Everything remembered ends; what identity vouched for at this address is not trusted any more, but forgotten.
    gateway.identity.revoke('partner', '2');
    await waitFor(async () => (await get('/v1/client/users', known)).status === 429, {
      what: 'the revocation',
    });
    expect(questionsAfter(asked)).toEqual([]);
  });

  it('counts 16 networks of an IPv6 /48, and then the next ones are refused too', async () => {
    const open = (network: number) =>
      get('/v1/users/verify-email?token=x', { 'x-forwarded-for': `2001:db8:1:${network.toString(16)}::1` });
    const statuses: number[] = [];
    for (let network = 0; network < 33; network++) statuses.push((await open(network)).status);
    expect(statuses).toEqual([...Array.from({ length: 32 }, () => 200), 429]);
    expect(limitOf(await open(99))).toEqual([
      429,
      '"address";q=32;w=60',
      expect.stringMatching(/^"address";r=0;t=(60|59|58)$/),
    ]);
    const elsewhere = await get('/v1/users/verify-email?token=x', { 'x-forwarded-for': '2001:db8:2::1' });
    expect(elsewhere.status).toBe(200);
  });

  it('refuses a callback without a signature before its service sees it, and counts it', async () => {
    const unsigned = () => fetch(`${gateway.url}/v1/callbacks/twilio`, { method: 'POST' });
    const refused = await unsigned();
    expect(problem.parse(await refused.json()).code).toBe('invalid_signature');
    expect(await statusesOf(2, unsigned)).toEqual([403, 429]);
    expect(gateway.seen).toHaveLength(0);
  });

  it('counts no callback that its service accepts', async () => {
    const headers = { 'x-twilio-signature': 'c2lnbmVk' };
    const callback = () => fetch(`${gateway.url}/v1/callbacks/twilio`, { method: 'POST', headers });
    Object.assign(gateway.answer, { status: 204, body: '' });
    expect(await statusesOf(5, callback)).toEqual([204, 204, 204, 204, 204]);
    Object.assign(gateway.answer, { status: 403, body: '{"code":"invalid_signature"}' });
    expect(await statusesOf(3, callback)).toEqual([403, 403, 429]);
    expect((await get('/v1/client/users')).status).toBe(401);
  });

  it('has no limit on what is no operation', async () => {
    for (const path of ['/v1/nothing', '/livez', '/problems/rate_limited']) {
      expect(limitOf(await get(path)).slice(1)).toEqual([null, null]);
    }
    const preflight = await fetch(`${gateway.url}/v1/client/users`, { method: 'OPTIONS' });
    expect(limitOf(preflight)).toEqual([204, null, null]);
  });

  it('continues with its own counts while the bus is unavailable, and does not count requests that fail because of it', async () => {
    await gateway.nats.stop();
    const outage = await get('/v1/client/users', keys);
    expect(limitOf(outage)).toEqual([503, '"address";q=2;w=60', '"address";r=2;t=0']);
    expect(await statusesOf(3, () => get('/v1/users/verify-email?token=x'))).toEqual([200, 200, 429]);
  });
});
