import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Problem, problem } from '@casewatch/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway } from './support/start-gateway.ts';

const start = 'GET /v1/users/verify-email?token=x HTTP/1.1\r\nHost: a\r\n';

describe('a request that is not HTTP', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(async () => {
    await gateway.stop();
  });

  it.each([
    ['headers over 16 KiB', `${start}X-Filler: ${'x'.repeat(17_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['an address over 16 KiB', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\n\r\n`, 431, 'headers_too_large'],
    ['over a hundred headers', `${start}${'X-A: 1\r\n'.repeat(101)}\r\n`, 431, 'headers_too_large'],
    ['no HTTP', 'hello there\r\n\r\n', 400, 'validation_failed'],
    [
      'two lengths',
      `POST /v1/auth/login-code HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'validation_failed',
    ],
  ])('with %s is refused in the one error shape', async (_what, text, status, code) => {
    const { head, body } = await answerTo((socket) => socket.write(text));
    expect([body.status, body.code]).toEqual([status, code]);
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain(`x-request-id: ${body.request_id}`);
  });

  it('whose headers do not come is refused in the one error shape', async () => {
    const { body } = await answerTo((socket) => socket.write(start));
    expect([body.status, body.code, body.retryable]).toEqual([408, 'request_timeout', true]);
  });

  it('whose body does not come is refused in the one error shape', async () => {
    const head = `POST /v1/auth/login-code HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`;
    const { body } = await answerTo((socket) => socket.write(`${head}{"email":`));
    expect([body.status, body.code]).toEqual([408, 'request_timeout']);
  });

  it('is not answered into the answer to another request', async () => {
    Object.assign(gateway.answer, { delayMs: 300 });
    const text = await textFrom((socket) => socket.write(`${start}\r\nhello there\r\n\r\n`));
    Object.assign(gateway.answer, { delayMs: 0 });
    expect(text.match(/^HTTP\/1\.1 /gm)?.length).toBe(1);
  });

  /** All that comes back until the connection ends, which it must. */
  async function textFrom(send: (socket: Socket) => void): Promise<string> {
    const socket = connect(gateway.port, '127.0.0.1', () => send(socket));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    await once(socket, 'close');
    return text;
  }

  async function answerTo(send: (socket: Socket) => void): Promise<{ head: string; body: Problem }> {
    const [head = '', body = ''] = (await textFrom(send)).split('\r\n\r\n');
    return { head, body: problem.parse(JSON.parse(body)) };
  }
});
