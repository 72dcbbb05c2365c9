import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { ordinaryDeadlineMs, problem } from '@casewatch/contracts';
import { timeLeftHeader } from '@casewatch/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { apiKey, apiSecret } from './support/identity-answers.ts';
import { startTestGateway } from './support/start-gateway.ts';

const keys = { 'x-api-key': apiKey, 'x-api-secret': apiSecret };

describe('the edge', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(async () => {
    await gateway.stop();
  });
  beforeEach(() => {
    gateway.seen.length = 0;
    Object.assign(gateway.answer, { status: 200, body: '{"ok":true}', delayMs: 0 });
  });

  it('streams a body through, byte for byte, with the status and body that come back', async () => {
    Object.assign(gateway.answer, { status: 409, body: '{"code":"email_already_exists"}' });
    const body = JSON.stringify({ email: 'ana@example.com', name: 'Ana Ñ' });
    const response = await fetch(`${gateway.url}/v1/client/users`, {
      method: 'POST',
      headers: { ...keys, 'content-type': 'application/json' },
      body,
    });
    expect([response.status, await response.json()]).toEqual([409, { code: 'email_already_exists' }]);
    expect(gateway.seen[0]?.body).toBe(body);
  });

  it('tells the service how long its caller still waits, and not what the caller says of it', async () => {
    await fetch(`${gateway.url}/v1/client/users`, { headers: { ...keys, [timeLeftHeader]: '60000' } });
    const leftMs = Number(gateway.seen[0]?.headers[timeLeftHeader]);
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(ordinaryDeadlineMs);
  });

  it.each([
    ['an unknown address', 'GET', '/v1/nothing', 404, 'route_not_found'],
    ['a method that the address does not have', 'PUT', '/v1/client/users', 405, 'method_not_allowed'],
    [
      'a method that only a later, more general address has',
      'PUT',
      '/v1/users/verify-email',
      405,
      'method_not_allowed',
    ],
  ])('answers %s in the one error shape', async (_what, method, path, status, code) => {
    const response = await fetch(gateway.url + path, { method, headers: keys });
    const body = problem.parse(await response.json());
    expect([response.status, body.code]).toEqual([status, code]);
    if (status === 405) expect(response.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS');
    const page = await fetch(gateway.url + body.type);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(code)]);
  });

  it.each(['x.ics', `${'x'.repeat(43)}.ics`])(
    'answers 405 of a calendar that is written to: %s',
    async (file) => {
      const response = await fetch(`${gateway.url}/v1/calendar/${file}`, { method: 'POST' });
      const { code } = problem.parse(await response.json());
      expect([response.status, code]).toEqual([405, 'method_not_allowed']);
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    },
  );

  it('answers 503 with Retry-After while a service is unavailable', async () => {
    const response = await fetch(`${gateway.url}/v1/callbacks/twilio`, {
      method: 'POST',
      headers: { 'x-twilio-signature': 'c2lnbmVk' },
      body: new URLSearchParams({ MessageSid: 'SM1' }),
    });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(problem.parse(await response.json()).code).toBe('service_unavailable');
  });

  it('answers 503 within 2.5 s where a service hangs', async () => {
    gateway.answer.delayMs = 3_500;
    const started = performance.now();
    const response = await fetch(`${gateway.url}/v1/client/users`, { headers: keys });
    expect(response.status).toBe(503);
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it('refuses a body over 16 KiB before the service sees it', async () => {
    const response = await fetch(`${gateway.url}/v1/client/users`, {
      method: 'POST',
      headers: { ...keys, 'content-type': 'application/json' },
      body: 'x'.repeat(17_000),
    });
    const { code, detail } = problem.parse(await response.json());
    expect([response.status, code, detail]).toEqual([
      413,
      'payload_too_large',
      'The body is larger than 16 KiB.',
    ]);
    expect(gateway.seen).toHaveLength(0);
  });

  it('says of a file how large it may be', async () => {
    const response = await fetch(`${gateway.url}/v1/client/imports/check`, {
      method: 'POST',
      headers: { ...keys, 'x-api-key': 'cwk_live_test_3', 'content-type': 'text/csv' },
      body: 'x'.repeat(5 * 1_024 * 1_024 + 1),
    });
    const { detail } = problem.parse(await response.json());
    expect([response.status, detail]).toEqual([413, 'The body is larger than 5 MiB.']);
  });

  it('refuses a body of unknown length as soon as it is over 16 KiB', async () => {
    const { status, code } = await answerToEndlessBody();
    expect([status, code]).toEqual([413, 'payload_too_large']);
    expect(gateway.seen).toHaveLength(0);
  });

  it('passes a body of unknown length on whole', async () => {
    const response = await fetch(`${gateway.url}/v1/client/users`, {
      method: 'POST',
      headers: { ...keys, 'content-type': 'application/json' },
      body: new Blob(['{"email":', '"ana@example.com"}']).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(200);
    expect(gateway.seen[0]?.body).toBe('{"email":"ana@example.com"}');
  });

  it.each([
    ['two Host headers', 'GET /v1/client/users HTTP/1.1\r\nHost: a\r\nHost: b\r\n'],
    ['another host in the request line', 'GET http://evil.example/v1/client/users HTTP/1.1\r\nHost: a\r\n'],
  ])('refuses a request with %s', async (_what, head) => {
    const text = await textFrom(
      `${head}X-API-KEY: ${apiKey}\r\nX-API-SECRET: ${apiSecret}\r\nConnection: close\r\n\r\n`,
    );
    const [, body = ''] = text.split('\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(problem.parse(JSON.parse(body)).code).toBe('validation_failed');
    expect(gateway.seen).toHaveLength(0);
  });

  it('takes over a well-formed request id and replaces any other', async () => {
    const ask = async (id: string) =>
      (await fetch(`${gateway.url}/v1/nothing`, { headers: { 'x-request-id': id } })).headers.get(
        'x-request-id',
      );
    expect(await ask('my-request-0001')).toBe('my-request-0001');
    expect(await ask('bad id!')).toMatch(/^req_[0-9a-f]{24}$/);
  });

  it('answers preflights 204, with leave only for the origins that are set', async () => {
    const ask = (origin: string) =>
      fetch(`${gateway.url}/v1/client/users`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'PUT' },
      });
    const allowed = await ask('https://app.example');
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([
      204,
      'https://app.example',
    ]);
    const denied = await ask('https://evil.example');
    expect([denied.status, denied.headers.get('access-control-allow-origin')]).toEqual([204, null]);
    expect(denied.headers.get('vary')).toContain('Origin');
  });

  it('gives errors the CORS headers too', async () => {
    const response = await fetch(`${gateway.url}/v1/client/users`, {
      headers: { origin: 'https://app.example' },
    });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
      401,
      'https://app.example',
    ]);
  });

  it('closes on a request that says its length twice', async () => {
    const answer = await textFrom(
      'POST /v1/client/users HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    );
    expect(answer).toContain('400 Bad Request');
  });

  /** All that comes back until the connection ends. */
  async function textFrom(request: string): Promise<string> {
    const socket = connect(gateway.port, '127.0.0.1', () => socket.write(request));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    await once(socket, 'close');
    return text;
  }

  /** The answer to a body that goes on until there is one. */
  async function answerToEndlessBody() {
    const ask = request(`${gateway.url}/v1/client/users`, {
      method: 'POST',
      headers: { ...keys, 'content-type': 'application/json' },
    });
    const writing = setInterval(() => ask.write('x'.repeat(1_000)), 1);
    const [response] = (await once(ask, 'response')) as [IncomingMessage];
    clearInterval(writing);
    const { code } = problem.parse(await json(response));
    ask.destroy();
    return { status: response.statusCode, code };
  }
});
