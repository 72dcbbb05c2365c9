import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiKey, apiSecret } from './support/identity-answers.ts';
import { startTestGateway } from './support/start-gateway.ts';

const keys = { 'x-api-key': apiKey, 'x-api-secret': apiSecret };

describe('every answer to the outside', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(async () => {
    await gateway.stop();
  });

  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(gateway.url + path, init);
    await response.arrayBuffer();
    return { status: response.status, headers: response.headers };
  };

  /** An answer that Node's parser makes necessary, before there is a request. */
  async function askUnreadable() {
    const socket = connect(gateway.port, '127.0.0.1', () => socket.write('hello there\r\n\r\n'));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    await once(socket, 'close');
    const [first = '', ...lines] = (text.split('\r\n\r\n')[0] ?? '').split('\r\n');
    const pairs = lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
    return { status: Number(first.split(' ')[1]), headers: new Headers(pairs) };
  }

  const answers: [what: string, status: number, () => ReturnType<typeof ask>][] = [
    ['an answer of a service', 200, () => ask('/v1/client/users', { headers: keys })],
    ['a refusal of credentials', 401, () => ask('/v1/client/users')],
    ['an unknown address', 404, () => ask('/v1/nothing')],
    ['a method that is not there', 405, () => ask('/v1/client/users', { method: 'PATCH' })],
    ['a preflight', 204, () => ask('/v1/client/users', { method: 'OPTIONS' })],
    ['the state of the process', 200, () => ask('/livez')],
    ['a page', 200, () => ask('/docs')],
    ['the document', 200, () => ask('/openapi.json')],
    ['what is no HTTP', 400, askUnreadable],
  ];

  it.each(answers)(
    'to %s (%i) tells browsers to do nothing with it but show it',
    async (_what, is, asked) => {
      const { status, headers } = await asked();
      expect(status).toBe(is);
      const [, seconds] =
        /^max-age=(\d+); includeSubDomains$/.exec(header(headers, 'strict-transport-security')) ?? [];
      expect(Number(seconds)).toBeGreaterThanOrEqual(365 * 24 * 60 * 60);
      // Without object-src of its own, default-src holds for objects; for the others it does not.
      const policy = header(headers, 'content-security-policy').split(/; ?/);
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
        ]),
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('set-cookie')).toBeNull();
      // JSON is UTF-8 without saying so (RFC 8259); everything else names its charset.
      const type = /^(application\/json(; charset=utf-8)?|text\/html; charset=utf-8)$/;
      if (status !== 204) expect(headers.get('content-type')).toMatch(type);
    },
  );

  it('to a caller about data is not kept in any cache', async () => {
    expect((await ask('/v1/client/users', { headers: keys })).headers.get('cache-control')).toBe('no-store');
    expect((await ask('/v1/client/users')).headers.get('cache-control')).toBe('no-store');
  });

  it('to TRACE is that there is no such method, and repeats nothing of the request', async () => {
    const { status, text } = await trace(gateway.port, { 'x-api-secret': 'cws_live_repeated' });
    expect(status).toBe(405);
    expect(text).not.toContain('cws_live_repeated');
  });
});

function header(headers: Headers, name: string): string {
  return headers.get(name) ?? '';
}

/** fetch refuses to send TRACE. */
async function trace(port: number, headers: Record<string, string>) {
  const sent = request({ host: '127.0.0.1', port, method: 'TRACE', path: '/v1/client/users', headers }).end();
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: Number(response.statusCode), text };
}
