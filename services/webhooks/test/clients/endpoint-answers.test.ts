import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import tls from 'node:tls';
import { makeAuthority } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEndpointClient } from '../../src/clients/endpoint.ts';
import { createPublicAddresses } from '../../src/clients/public-addresses.ts';
import { networksFrom } from '../../src/domain/networks.ts';
import { attemptMessage } from '../../src/present/attempt-message.ts';
import { portOf } from '../support/port-of.ts';

const addresses = createPublicAddresses({
  resolve: async () => [],
  networks: networksFrom(),
  allowLoopback: true,
  now: () => new Date(),
});
const times = { totalMs: 20_000, connectMs: 5_000, dnsMs: 500 };
const client = createEndpointClient(addresses, times);
const authority = makeAuthority();
const trusted = tls.getCACertificates('default');

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const okWith = (...headers: string[]) =>
  `HTTP/1.1 200 OK\r\n${headers.map((line) => `${line}\r\n`).join('')}content-length: 2\r\n\r\nok`;
const chunkedOk = '2\r\nok\r\n0\r\n\r\n';
const filler = (bytes: number) => `x-filler: ${'a'.repeat(bytes)}`;

/** What the endpoint writes, in pieces, when the whole request is there; then it closes the connection. */
let pieces: string[] = [];
async function answer(socket: Socket): Promise<void> {
  socket.on('error', () => undefined);
  let request = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    request += chunk.toString('latin1');
    if (!request.endsWith('\r\n\r\n{}')) continue;
    for (const piece of pieces) {
      socket.write(piece, 'latin1');
      await delay(5);
    }
    socket.end();
    return;
  }
}

let plain: Server;
let secure: tls.Server;
let port: number;
let securePort: number;
beforeAll(async () => {
  tls.setDefaultCACertificates([...trusted, authority.ca]);
  plain = createServer({ allowHalfOpen: true }, (socket) => void answer(socket));
  secure = tls.createServer(authority.issue('localhost'), (socket) => void answer(socket));
  [port, securePort] = await Promise.all([portOf(plain), portOf(secure)]);
});
afterAll(async () => {
  await client.stop();
  tls.setDefaultCACertificates(trusted);
  await Promise.all([plain, secure].map((server) => new Promise((done) => server.close(done))));
});

async function post(text: string | string[], base = `http://localhost:${port}/`) {
  pieces = [text].flat();
  return await client.post({ webhookId: 1, url: base, headers: {}, body: '{}' });
}

const delivered: [string, string | string[]][] = [
  ['100 Continue before it', `HTTP/1.1 100 Continue\r\n\r\n${ok}`],
  ['100 Continue in a packet of its own', ['HTTP/1.1 100 Continue\r\n\r\n', ok]],
  ['103 Early Hints before it', `HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n${ok}`],
  [
    'several interim answers before it',
    `${['100 Continue', '102 Processing', '103 Early Hints', '199 Anything'].map((line) => `HTTP/1.1 ${line}\r\n\r\n`).join('')}${ok}`,
  ],
  ['102 Processing now and then', [...Array(10).fill('HTTP/1.1 102 Processing\r\n\r\n'), ok]],
  ['line feeds alone', ok.replaceAll('\r', '')],
  ['line feeds alone after 100 Continue', `HTTP/1.1 100 Continue\r\n\r\n${ok}`.replaceAll('\r', '')],
  ['a folded header', okWith('x-a: b', '  c')],
  ['a header folded by a tab', okWith('x-a: b', '\tc')],
  ['Content-Length beside Transfer-Encoding', okWith('transfer-encoding: chunked').replace(/ok$/, chunkedOk)],
  [
    'Transfer-Encoding after Content-Length',
    `HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n${chunkedOk}`,
  ],
  ['a header of 17 KB', okWith(filler(17_000))],
  ['60 KB of headers', okWith(...Array.from({ length: 60 }, () => filler(985)))],
  ['2,500 headers', okWith(...Array.from({ length: 2_500 }, (_, i) => `x-${i}: 1`))],
  ['no reason phrase', 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok'],
  ['HTTP/1.0, and a body up to the end of the connection', 'HTTP/1.0 200 OK\r\n\r\nok'],
  ['bytes beyond ASCII and control characters in a header', okWith('x-a: a\u00e7\u00e3o \u0001')],
  ['an offer to upgrade', okWith('connection: upgrade', 'upgrade: h2,h2c')],
  ['a chunk that is no chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nok'],
  ['a body that breaks off', okWith().replace('length: 2', 'length: 20')],
  ['a body that 204 cannot have', 'HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\nok'],
  ['something behind it', `${ok}HTTP/1.1 500 Error\r\ncontent-length: 0\r\n\r\n`],
];

describe('an answer with status 2xx', () => {
  it.each(delivered)('is a success: with %s', async (_what, text) => {
    expect(await post(text)).toMatchObject({ error: null });
  });

  it('is a success over TLS as well', async () => {
    const base = `https://localhost:${securePort}/`;
    const text = ['HTTP/1.1 100 Continue\n\n', okWith(filler(17_000)).replaceAll('\r', '')];
    expect(await post(text, base)).toMatchObject({ status: 200, error: null, response: 'ok' });
  });
});

const refused: [string, string | string[], string, string][] = [
  [
    'another status after 100 Continue',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 Error\r\ncontent-length: 0\r\n\r\n',
    'http_500',
    'The endpoint answered 500 Internal Server Error.',
  ],
  [
    'interim answers only',
    'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(3),
    'reset',
    'The connection was closed within the head of the response.',
  ],
  [
    'interim answers without end',
    'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10_000),
    'response_malformed',
    'The response is not valid HTTP: it has more than 100 interim answers.',
  ],
  [
    'a protocol that we did not ask for',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
    'http_101',
    'The endpoint answered 101 Switching Protocols.',
  ],
  [
    'the same Content-Length twice',
    okWith('content-length: 2'),
    'response_malformed',
    'The response is not valid HTTP: Content-Length appears twice.',
  ],
  [
    'two Content-Lengths',
    okWith('content-length: 3'),
    'response_malformed',
    'The response is not valid HTTP: Content-Length appears twice.',
  ],
  [
    'a length that is no number',
    okWith().replace('length: 2', 'length: two'),
    'response_malformed',
    'The response is not valid HTTP: Content-Length is not a number.',
  ],
  [
    '70 KB of headers',
    okWith(filler(70_000)),
    'response_malformed',
    'The response is not valid HTTP: its headers are larger than 64 KiB.',
  ],
  [
    'a header without a colon',
    okWith('no colon'),
    'response_malformed',
    'The response is not valid HTTP: a header has a character that is not allowed.',
  ],
  [
    'the greeting of another protocol',
    'SSH-2.0-OpenSSH\r\n',
    'response_malformed',
    'The response is not valid HTTP: it does not begin with HTTP/1.',
  ],
  [
    'a version without a dot',
    ok.replace('HTTP/1.1', 'HTTP/2'),
    'response_malformed',
    'The response is not valid HTTP: its version is not HTTP/1.0 or HTTP/1.1.',
  ],
  [
    'a status of four digits',
    ok.replace('200', '2000'),
    'response_malformed',
    'The response is not valid HTTP: its status is not a number of three digits.',
  ],
  [
    'a status below 100',
    ok.replace('200', '099'),
    'response_malformed',
    'The response is not valid HTTP: its status is 99.',
  ],
  ['nothing', '', 'reset', 'The connection was closed before the response.'],
  [
    'half a status line',
    'HTTP/1.1 20',
    'reset',
    'The connection was closed within the head of the response.',
  ],
  [
    'half a head',
    'HTTP/1.1 200 OK\r\ncontent-len',
    'reset',
    'The connection was closed within the head of the response.',
  ],
];

describe('an attempt fails, and the sentence says why', () => {
  it.each(refused)('with %s', async (_what, text, error, sentence) => {
    const outcome = await post(text);
    expect(outcome).toMatchObject({ error });
    expect(attemptMessage(outcome)).toBe(sentence);
  });
});

describe('an answer whose body stays open', () => {
  /** Writes a head and a first piece of the body, and tells when the connection is closed. */
  async function startOpen(head: string) {
    const closed = Promise.withResolvers<void>();
    const server = createServer((socket) => {
      socket.on('error', () => undefined).on('close', () => closed.resolve());
      socket.once('data', () =>
        socket.write(`${head}\r\n\r\n${head.includes('chunked') ? '2\r\nok\r\n' : 'ok'}`),
      );
    });
    const url = `http://localhost:${await portOf(server)}/`;
    const outcome = await client.post({ webhookId: 2, url, headers: {}, body: '{}' });
    await closed.promise;
    server.close();
    return outcome;
  }

  it.each([
    ['a length that never comes', 'HTTP/1.1 200 OK\r\ncontent-length: 10', null],
    ['chunks that go on', 'HTTP/1.1 202 Accepted\r\ntransfer-encoding: chunked', null],
    ['no length', 'HTTP/1.1 200 OK', null],
    ['another status', 'HTTP/1.1 503 Busy\r\ncontent-length: 10\r\nretry-after: 7', 'http_503'],
  ])('counts two seconds after its head, and is closed: %s', async (_what, head, error) => {
    const outcome = await startOpen(head);
    expect(outcome).toMatchObject({ error, retryAfter: error && '7' });
    expect(outcome.ms).toBeGreaterThanOrEqual(1_990);
    expect(outcome.ms).toBeLessThan(8_000);
  });
});

describe('a kept connection', () => {
  const second = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nstale';
  const failing = 'HTTP/1.1 500 Error\r\ncontent-length: 0\r\n\r\n';

  /** Answers the first request of a connection with `first`, then writes `late`; all requests on other connections with 500. */
  async function startPoisoned(first: string, late: string) {
    const seen = { connections: 0 };
    const poisoned = Promise.withResolvers<void>();
    const server = createServer((socket) => {
      seen.connections += 1;
      const isFirst = seen.connections === 1;
      socket.on('error', () => undefined);
      if (isFirst) socket.once('close', () => poisoned.resolve());
      socket.once('data', () => {
        socket.write(isFirst ? first : failing);
        if (isFirst && late) setTimeout(() => socket.write(late), 20);
      });
    });
    const url = `http://localhost:${await portOf(server)}/`;
    const call = (webhookId: number) => client.post({ webhookId, url, headers: {}, body: '{}' });
    return { call, seen, poisoned: poisoned.promise, stop: () => server.close() };
  }

  it('is closed when bytes come that nobody has asked for: they answer no other request', async () => {
    const { call, seen, poisoned, stop } = await startPoisoned(ok, second);
    expect(await call(3)).toMatchObject({ status: 200 });
    await poisoned;
    expect(await call(3)).toMatchObject({ status: 500, response: '' });
    expect(seen.connections).toBe(2);
    stop();
  });

  it('is not kept after an answer with two lengths', async () => {
    const twoLengths = okWith('transfer-encoding: chunked').replace(/ok$/, chunkedOk);
    const { call, seen, poisoned, stop } = await startPoisoned(twoLengths, '');
    expect(await call(3)).toMatchObject({ status: 200 });
    await poisoned;
    expect(await call(3)).toMatchObject({ status: 500 });
    expect(seen.connections).toBe(2);
    stop();
  });

  it('belongs to one endpoint: an answer for it reaches no other', async () => {
    const { call, seen, stop } = await startPoisoned(ok, '');
    expect(await call(4)).toMatchObject({ status: 200 });
    expect(await call(5)).toMatchObject({ status: 500 });
    expect(seen.connections).toBe(2);
    stop();
  });
});
