import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Problem, problem } from '@casewatch/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keysOfPartner } from '../support/identity-answers.ts';
import { startTestGateway } from '../support/start-gateway.ts';

const post = 'POST /v1/auth/login-code HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
const get = (path: string, headers: string) => `GET ${path} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`;

describe('what Node would answer by itself', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  beforeAll(async () => {
    gateway = await startTestGateway({ RATE_LIMIT_ADDRESS_PER_MINUTE: '100000' });
  });
  afterAll(async () => {
    await gateway.stop();
  });

  it.each([
    ['Expect: x', `${post}Expect: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`, 400],
    ['Expect: 200-ok', get('/v1/status', 'Host: a\r\nExpect: 200-ok\r\n'), 400],
    ['Expect with two values', get('/v1/status', 'Host: a\r\nExpect: 100-continue, x\r\n'), 400],
    ['no Host', get('/v1/status', ''), 400],
    ['two Hosts', get('/v1/status', 'Host: a\r\nHost: b\r\n'), 400],
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n', 400],
    ['a path that begins with a host', get('http://a/v1/status', 'Host: a\r\n'), 400],
    ['an unknown method', 'BREW /v1/status HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a request line of two words', 'GET /v1/status\r\nHost: a\r\n\r\n', 400],
    ['a method of WebDAV', 'PROPFIND /v1/status HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 405],
    [
      'an upgrade',
      'GET /v1/users/8 HTTP/1.1\r\nHost: a\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n',
      401,
    ],
    ['headers over 16 KiB', get('/', `Host: a\r\nX-A: ${'x'.repeat(17_000)}\r\n`), 431],
  ])('has the one error shape: %s', async (_what, text, status) => {
    const { head, body } = await answerTo(text);
    expect([Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), body.status]).toEqual([status, status]);
    expect(head.toLowerCase()).toContain(`x-request-id: ${body.request_id}`);
    for (const header of [
      'content-security-policy:',
      'x-content-type-options: nosniff',
      'cache-control: no-store',
    ])
      expect(head.toLowerCase()).toContain(header);
  });

  it('is a page for a browser: no Host', async () => {
    const text = await textOf(get('/', 'Accept: text/html\r\n'));
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toMatch(/content-type: text\/html[\s\S]*<!doctype html>/i);
  });

  it.each([
    ['HTTP/1.0 without Host', 'GET /livez HTTP/1.0\r\n\r\n'],
    ['HTTP/1.0 with an expectation, which has no meaning there', 'GET /livez HTTP/1.0\r\nExpect: x\r\n\r\n'],
    ['an empty Host', get('/livez', 'Host:\r\n')],
  ])('is not refused: %s', async (_what, text) => {
    expect(await textOf(text)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('keeps the request id of the caller', async () => {
    const text = 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\nX-Request-Id: my-request-1\r\n\r\n';
    expect((await answerTo(text)).body.request_id).toBe('my-request-1');
    expect((await answerTo(get('/v1/status', 'X-Request-Id: my-request-2\r\n'))).body.request_id).toBe(
      'my-request-2',
    );
  });

  it.each([
    ['no credentials', 'POST /v1/check HTTP/1.1\r\nHost: a\r\n', 2, 401],
    ['a body that is too large', post, 20_000, 413],
    ['a coding', `${post}Content-Encoding: gzip\r\n`, 2, 415],
  ])('is no 100 Continue before a refusal: %s', async (_what, start, length, status) => {
    const { head, body } = await answerTo(
      `${start}Expect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`,
    );
    expect(head).not.toContain('100 Continue');
    expect(body.status).toBe(status);
  });

  it('is 100 Continue when the body is wanted', async () => {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.setEncoding('utf8').write(`${post}Expect: 100-Continue\r\nContent-Length: 2\r\n\r\n`);
    const [first] = await once(socket, 'data');
    expect(first).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('{}');
    const [second] = await once(socket, 'data');
    expect(second).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  it('is counted against the address, which gets 429 then', async () => {
    const limited = await startTestGateway({ RATE_LIMIT_ADDRESS_PER_MINUTE: '4' });
    try {
      const texts = [
        get('/v1/status', ''),
        'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n',
        'no http\r\n\r\n',
        get('/v1/status', 'Host: a\r\nExpect: x\r\n'),
      ];
      for (const text of texts) expect((await answerTo(text, limited.port)).body.status).toBe(400);
      for (const text of texts) {
        const { head, body } = await answerTo(text, limited.port);
        expect([body.status, body.code]).toEqual([429, 'rate_limited']);
        expect(head).toMatch(/^retry-after: \d+$/im);
      }
    } finally {
      await limited.stop();
    }
  });

  /** All that comes until the gateway ends the connection. */
  async function textOf(text: string, port = gateway.port): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    let all = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      all += chunk;
    });
    const closed = once(socket, 'close');
    socket.write(text);
    await closed;
    return all;
  }

  async function answerTo(text: string, port?: number): Promise<{ head: string; body: Problem }> {
    const [head = '', body = ''] = (await textOf(text, port)).split('\r\n\r\n');
    return { head, body: problem.parse(JSON.parse(body)) };
  }
});

describe('a body', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  beforeAll(async () => {
    gateway = await startTestGateway((behind) => ({
      NOTIFIER_URL: behind,
      RATE_LIMIT_ADDRESS_PER_MINUTE: '100000',
    }));
  });
  afterAll(async () => {
    await gateway.stop();
  });
  beforeEach(() => {
    gateway.seen.length = 0;
  });

  const send = async (path: string, headers: Record<string, string>, body: string | Buffer) =>
    await fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: new Uint8Array(Buffer.from(body)),
    });

  it.each(['gzip', 'GZIP', 'br', 'deflate', 'zstd', 'x-unknown', 'identity, gzip', 'gzip, identity'])(
    'with the coding %s is 415, and says so',
    async (coding) => {
      const headers = { ...keysOfPartner(3), 'content-encoding': coding };
      const response = await send('/v1/client/users', headers, gzipSync('{"email":"a@example.com"}'));
      const { status, message } = problem.parse(await response.json());
      expect([response.status, status, response.headers.get('accept-encoding')]).toEqual([
        415,
        415,
        'identity',
      ]);
      expect(message).toContain('Content-Encoding');
      expect(gateway.seen).toEqual([]);
    },
  );

  it.each(['identity', 'Identity', ''])('without a coding arrives: %j', async (coding) => {
    const response = await send(
      '/v1/client/users',
      { ...keysOfPartner(3), 'content-encoding': coding },
      '{}',
    );
    expect([response.status, gateway.seen[0]?.body]).toEqual([200, '{}']);
  });

  const form = 'application/x-www-form-urlencoded';

  it.each<[string, string, Record<string, string>]>([
    ['a callback', '/v1/callbacks/email/sendgrid', { 'svix-signature': 'x' }],
    ['a form of a page', '/sign-in', { 'sec-fetch-site': 'same-origin', 'content-type': form }],
  ])('with a coding is 415 for %s too', async (_what, path, headers) => {
    expect((await send(path, { ...headers, 'content-encoding': 'gzip' }, gzipSync('{}'))).status).toBe(415);
  });
});
