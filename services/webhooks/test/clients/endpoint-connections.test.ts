import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import tls from 'node:tls';
import { makeAuthority } from '@casewatch/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createEndpointClient } from '../../src/clients/endpoint.ts';
import { createPublicAddresses, type PublicAddresses } from '../../src/clients/public-addresses.ts';
import { networksFrom } from '../../src/domain/networks.ts';

const authority = makeAuthority();
const trusted = tls.getCACertificates('default');
const times = { totalMs: 5_000, connectMs: 2_000, dnsMs: 500 };
const ends: (() => Promise<unknown>)[] = [];

beforeAll(() => tls.setDefaultCACertificates([...trusted, authority.ca]));
afterAll(() => tls.setDefaultCACertificates(trusted));
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => new Promise((done) => server.close(done)));
  return (server.address() as AddressInfo).port;
}

function clientOf(addresses: PublicAddresses, base: (host: string) => string) {
  const client = createEndpointClient(addresses, times);
  ends.push(() => client.stop());
  return (host: string) => client.post({ webhookId: 1, url: base(host), headers: {}, body: '{}' });
}

describe('a connection to an address that was judged', () => {
  it('fails where the certificate there is for another name', async () => {
    const asked: unknown[] = [];
    // The authority is trusted and the certificate is for localhost: only the name can be wrong.
    const server = createTlsServer(authority.issue('localhost'), (req, res) => {
      asked.push(req.headers.host);
      res.end();
    });
    const port = await portOf(server);
    const networks = networksFrom();
    const addresses = createPublicAddresses({
      resolve: async () => [],
      networks,
      allowLoopback: true,
      now: () => new Date(),
    });
    const post = clientOf(addresses, (host) => `https://${host}:${port}/`);
    expect(await post('localhost')).toMatchObject({ status: 200, error: null });
    expect(await post('partner.localhost')).toMatchObject({
      status: null,
      error: 'tls_error',
      cause: 'certificate is for 127.0.0.1, localhost',
    });
    expect(asked).toEqual([`localhost:${port}`]);
  });

  it('is not used again, though it is open, once the name leads to a private address', async () => {
    const seen = { connections: 0, requests: 0 };
    const server = createServer((req, res) => {
      req.resume();
      seen.requests++;
      res.end();
    });
    server.on('connection', () => seen.connections++);
    const port = await portOf(server);
    const dns = { answer: '93.184.215.14', now: 0 };
    const judged = createPublicAddresses({
      resolve: async () => [dns.answer],
      networks: networksFrom(),
      allowLoopback: false,
      now: () => new Date(dns.now),
    });
    // The way to the public address ends at the server above; the judgement is the real one.
    const lookup: PublicAddresses['lookup'] = (_host, _options, callback) =>
      callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const post = clientOf({ judgeHost: judged.judgeHost, lookup }, (host) => `http://${host}:${port}/`);

    expect(await post('turning.example')).toMatchObject({ status: 200, error: null });
    await setImmediate(); // the client takes its connection back after the answer's end has been read
    Object.assign(dns, { answer: '10.0.0.8', now: 2_000 });
    expect(await post('turning.example')).toMatchObject({ status: null, error: 'blocked_address' });
    Object.assign(dns, { answer: '93.184.215.14', now: 4_000 });
    expect(await post('turning.example')).toMatchObject({ status: 200, error: null });
    // The second request was refused on a connection that was still open: the third one used it.
    expect(seen).toEqual({ connections: 1, requests: 2 });
  });
});

describe('a connection that the endpoint closes', () => {
  const loopback = createPublicAddresses({
    resolve: async () => [],
    networks: networksFrom(),
    allowLoopback: true,
    now: () => new Date(),
  });

  /** Answers the first `kept` requests of each connection, and then closes it in the given way. */
  async function startClosing(kept: number, close: (socket: Socket) => void, isSecure = false) {
    const seen = { connections: 0, requests: 0 };
    const answer = (socket: Socket) => {
      let answered = 0;
      seen.connections += 1;
      socket.on('error', () => undefined);
      socket.on('data', () => {
        seen.requests += 1;
        if (answered++ < kept) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        else close(socket);
      });
    };
    const server = isSecure
      ? tls.createServer(authority.issue('localhost'), answer)
      : createTcpServer(answer);
    const port = await portOf(server);
    const post = clientOf(loopback, (host) => `${isSecure ? 'https' : 'http'}://${host}:${port}/`);
    return { seen, post: () => post('localhost') };
  }

  const ways: [string, (socket: Socket) => void][] = [
    ['ends', (socket) => socket.end()],
    ['resets', (socket) => socket.resetAndDestroy()],
  ];

  it.each([
    ['ends', (socket: Socket) => socket.end(), false],
    ['resets', (socket: Socket) => socket.resetAndDestroy(), false],
    ['ends with TLS', (socket: Socket) => socket.end(), true],
    ['breaks off with TLS', (socket: Socket) => socket.destroy(), true],
  ] as const)(
    'and %s after an earlier answer is no failure: the request is sent again',
    async (_way, close, isSecure) => {
      const { seen, post } = await startClosing(1, close, isSecure);
      expect(await post()).toMatchObject({ status: 200, error: null });
      await setImmediate();
      expect(await post()).toMatchObject({ status: 200, error: null });
      expect(seen).toEqual({ connections: 2, requests: 3 });
    },
  );

  it.each(ways)('and %s before any answer is a failure', async (_way, close) => {
    const { seen, post } = await startClosing(0, close);
    expect(await post()).toMatchObject({ status: null, error: 'reset' });
    expect(seen).toEqual({ connections: 1, requests: 1 });
  });

  it('and ends within an answer is a failure', async () => {
    const { seen, post } = await startClosing(1, (socket) => socket.end('HTTP/1.1 200'));
    expect(await post()).toMatchObject({ status: 200, error: null });
    await setImmediate();
    expect(await post()).toMatchObject({ status: null });
    expect(seen).toEqual({ connections: 1, requests: 2 });
  });
});
