import { problem } from '@casewatch/contracts';
import { freePort, waitFor } from '@casewatch/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { keysOfPartner } from '../support/identity-answers.ts';
import { startTestGateway } from '../support/start-gateway.ts';

type Gateway = Awaited<ReturnType<typeof startTestGateway>>;

/** Only refusals before Express have no operation. */
const early =
  /^http_server_request_duration_seconds_count\{.*operation="none".*status_code="429".*\} (\d+)$/m;

describe('a caller who was refused within the last second', () => {
  let gateway: Gateway;
  afterEach(async () => {
    await gateway.stop();
  });

  async function begin(settings: Record<string, string> = {}) {
    const port = await freePort();
    gateway = await startTestGateway({ ...settings, METRICS_PORT: String(port) });
    return async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return Number(early.exec(metrics)?.[1] ?? 0);
    };
  }

  const get = (headers: Record<string, string> = {}, path = '/v1/client/users') =>
    fetch(gateway.url + path, { headers: { ...keysOfPartner(2), ...headers } });

  const shapeOf = async (response: Response) => {
    const { request_id, instance, ...body } = problem.parse(await response.json());
    expect(request_id).toBe(response.headers.get('x-request-id'));
    expect(instance).toBe(`urn:request:${request_id}`);
    const names = [...response.headers.keys()].filter(
      (name) => name !== 'connection' && name !== 'keep-alive',
    );
    return { status: response.status, type: response.headers.get('content-type'), names: names.sort(), body };
  };

  /** Refusals until one comes before Express: the others of a second begin with one that takes the whole way. */
  async function repeated(earlyCount: () => Promise<number>, headers?: Record<string, string>) {
    for (;;) {
      const before = await earlyCount();
      const response = await get(headers);
      if ((await earlyCount()) > before) return response;
      await response.body?.cancel();
    }
  }

  it('gets the same response without further work, and the limit of a minute goes on', async () => {
    const earlyCount = await begin({ RATE_LIMIT_PARTNER_PER_MINUTE: '2' });
    await Promise.all([get(), get()]);
    const first = await shapeOf(await get());
    expect(first.status).toBe(429);
    const next = await repeated(earlyCount, { 'x-request-id': 'my-request-1' });
    expect(next.headers.get('x-request-id')).toBe('my-request-1');
    expect(next.headers.get('ratelimit')).toMatch(/^"partner";r=0;t=\d+$/);
    expect(Number(next.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await shapeOf(next)).toEqual(first);
    const asProblem = await repeated(earlyCount, { accept: 'application/problem+json' });
    expect(asProblem.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(gateway.seen).toHaveLength(2);
  });

  it('is not confused with another caller or another secret, and a browser gets the headers of CORS', async () => {
    const earlyCount = await begin({ RATE_LIMIT_PARTNER_PER_MINUTE: '2' });
    await Promise.all([get(), get()]);
    await repeated(earlyCount);
    expect((await get(keysOfPartner(3))).status).toBe(200);
    expect((await get({ 'x-api-secret': 'wrong' })).status).toBe(401);
    const inBrowser = await get({ origin: 'https://app.example' });
    expect([inBrowser.status, inBrowser.headers.get('access-control-allow-origin')]).toEqual([
      429,
      'https://app.example',
    ]);
  });

  it('with 136 requests at once counts each refusal, and is answered as soon as there is room', async () => {
    const earlyCount = await begin();
    const { promise, resolve: release } = Promise.withResolvers<void>();
    gateway.answer.held = promise;
    const statuses: number[] = [];
    const asked = Array.from({ length: 137 }, async () => statuses.push((await get()).status));
    await waitFor(() => statuses.length === 1, { what: 'one refusal' });
    const response = await repeated(earlyCount);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.text()).toContain('Too many of your requests are waiting');
    expect(remaining(await get())).toBe(remaining(response) - 1);

    gateway.answer.held = undefined;
    release();
    await Promise.all(asked);
    expect((await get()).status).toBe(200);
  });
});

function remaining({ headers }: Response): number {
  return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
}
