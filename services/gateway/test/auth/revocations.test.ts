import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { apiKey, apiSecret } from '../support/identity-answers.ts';
import { startTestGateway } from '../support/start-gateway.ts';

const keys = { 'x-api-key': apiKey, 'x-api-secret': apiSecret };

describe('what a gateway remembers of credentials', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  beforeEach(async () => {
    gateway = await startTestGateway();
  });
  afterEach(async () => {
    await gateway.stop();
  });

  const ask = async (headers: Record<string, string> = keys, url = gateway.url) =>
    (await fetch(`${url}/v1/users/7`, { headers })).status;
  const bearer = (claims: object = {}) => ({ authorization: `Bearer ${gateway.identity.token(claims)}` });
  const becomes = (status: number, headers = keys as Record<string, string>, url = gateway.url) =>
    waitFor(async () => (await ask(headers, url)) === status, { what: `a ${status}` });

  it('is not asked for again', async () => {
    const token = bearer();
    for (const headers of [keys, keys, token, token]) expect(await ask(headers)).toBe(200);
    expect(gateway.identity.askedFor('identity.authenticate')).toBe(1);
    expect(gateway.identity.askedFor('identity.session')).toBe(1);
  });

  it('is asked for once by many concurrent requests', async () => {
    const statuses = await Promise.all(Array.from({ length: 20 }, () => ask()));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(gateway.identity.askedFor('identity.authenticate')).toBe(1);
  });

  it.each([
    ['its key', 'key', '1', () => keys, 401],
    ['its partner', 'partner', '1', () => keys, 403],
    ['its session', 'session', 'session-7', bearer, 401],
    ['its user', 'user', '7', bearer, 401],
  ] as const)('ends with %s', async (_what, kind, id, credentials, status) => {
    const headers = credentials();
    expect(await ask(headers)).toBe(200);
    gateway.identity.revoke(kind, id);
    await becomes(status, headers);
  });

  it('stays where others are revoked', async () => {
    expect([await ask(), await ask(bearer())]).toEqual([200, 200]);
    gateway.identity.revoke('key', '99');
    gateway.identity.revoke('session', 'session-99');
    const hasApplied = () =>
      gateway.identity.asked.some(({ data }) => (data as { since?: number }).since === 0);
    await waitFor(hasApplied);
    expect(await ask()).toBe(200);
    expect(gateway.identity.askedFor('identity.authenticate')).toBe(1);
  });

  it('ends by itself when the pair does', async () => {
    gateway.identity.known.goodUntil = new Date(Date.now() + 1_000);
    expect(await ask()).toBe(200);
    gateway.identity.known.refused.add('key/1');
    await becomes(401);
    // The gateway follows the clock of identity, which it knows to some milliseconds.
    expect(Date.now()).toBeGreaterThan(gateway.identity.known.goodUntil.getTime() - 100);
  });

  it('is all forgotten where identity cannot tell what changed', async () => {
    expect(await ask()).toBe(200);
    gateway.identity.known.forgetsChanges = true;
    gateway.identity.known.refused.add('key/1');
    gateway.identity.known.changes.push({ kind: 'key', id: '99' });
    await becomes(401);
  });

  it('is forgotten after a database was put back to an earlier revision', async () => {
    gateway.identity.revoke('key', '98');
    gateway.identity.revoke('key', '99');
    await waitFor(() => gateway.identity.asked.some(({ data }) => (data as { since?: number }).since === 0));
    expect(await ask()).toBe(200);
    gateway.identity.known.refused.add('key/1');
    gateway.identity.known.forgetsChanges = true;
    gateway.identity.known.changes.splice(0);
    await becomes(401);
  });
});

describe('a gateway that hears nothing of revocations', () => {
  const get = (url: string) => fetch(`${url}/v1/users/7`, { headers: keys });

  it('asks, and so refuses what was revoked although every announcement is lost', async () => {
    await using cleanUps = new AsyncDisposableStack();
    const gateway = await startTestGateway();
    cleanUps.defer(gateway.stop);
    expect((await get(gateway.url)).status).toBe(200);
    gateway.identity.known.announces = false;
    gateway.identity.revoke('key', '1');
    await waitFor(async () => (await get(gateway.url)).status === 401, { what: 'the refusal' });
  });

  it('goes on to serve what is good', async () => {
    await using cleanUps = new AsyncDisposableStack();
    const gateway = await startTestGateway();
    cleanUps.defer(gateway.stop);
    gateway.identity.known.announces = false;
    const until = Date.now() + 4_000;
    while (Date.now() < until) {
      expect((await get(gateway.url)).status).toBe(200);
      // Often, but below the partner's own limit.
      await delay(20);
    }
  });

  it('refuses with 503 where it gets no answer either, and serves again when it does', async () => {
    await using cleanUps = new AsyncDisposableStack();
    const gateway = await startTestGateway();
    cleanUps.defer(gateway.stop);
    expect((await get(gateway.url)).status).toBe(200);
    Object.assign(gateway.identity.known, { announces: false, isMute: true });
    await waitFor(async () => (await get(gateway.url)).status === 503, { what: 'the refusal' });
    const refused = await get(gateway.url);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.json()).toMatchObject({ code: 'service_unavailable', retryable: true });
    // Who needs no credentials is let in all the same.
    expect((await fetch(`${gateway.url}/v1/users/verify-email?token=x`)).status).toBe(200);
    gateway.identity.known.isMute = false;
    await waitFor(async () => (await get(gateway.url)).status === 200, { what: 'the service' });
  });

  it('refuses within the promised time, however many questions identity leaves without an answer', async () => {
    await using cleanUps = new AsyncDisposableStack();
    const gateway = await startTestGateway();
    cleanUps.defer(gateway.stop);
    const { promise: end, resolve } = Promise.withResolvers<void>();
    cleanUps.defer(() => resolve());
    gateway.identity.known.announces = false;
    // What it knows of revocations is then too old.
    await delay(1_600);
    // The first question gets no answer in time, the second one late, and the third one none.
    gateway.identity.known.waits['identity.revocations'] = delay(1_700);
    gateway.identity.known.waits['identity.authenticate'] = end;
    const asked = performance.now();
    expect((await get(gateway.url)).status).toBe(503);
    // 2.5 s, and some for a slow machine.
    expect(performance.now() - asked).toBeLessThan(3_300);
    expect(gateway.identity.askedFor('identity.authenticate')).toBe(1);
  });

  it('lets nobody in before it has heard, and is not ready', async () => {
    await using cleanUps = new AsyncDisposableStack();
    const gateway = await startTestGateway();
    cleanUps.defer(gateway.stop);
    Object.assign(gateway.identity.known, { announces: false, isMute: true });
    const fresh = await gateway.addReplica({ isReady: false });
    expect((await fetch(`${fresh}/readyz`)).status).toBe(503);
    expect((await get(fresh)).status).toBe(503);
    gateway.identity.known.isMute = false;
    await waitFor(async () => (await fetch(`${fresh}/readyz`)).ok, { what: 'readiness' });
    expect((await get(fresh)).status).toBe(200);
  });
});
