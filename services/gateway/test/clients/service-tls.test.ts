import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type ApiError, createHttpServer, type HttpServer, listen } from '@casewatch/platform';
import { makeAuthority } from '@casewatch/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createServiceClient, type ServiceClient } from '../../src/clients/service-client.ts';
import { withTimeouts } from '../../src/clients/with-timeouts.ts';

const request = { method: 'GET', path: '/', headers: [], body: null, waitMs: 10_000 };
const waits = { answerMs: 10_000, receiveMs: 10_000 };
const forwardThrough = (client: ServiceClient, res: ServerResponse) =>
  withTimeouts(res, waits, (patience) => client.forward(request, res, patience));
const authority = makeAuthority();
const yesterday = Date.now() - 3_600_000;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** A service that tells which TLS it was asked over. */
async function startService(tls?: { cert: string; key: string }): Promise<HttpServer> {
  const server = createHttpServer((req, res) => res.end((req.socket as TLSSocket).getProtocol()), tls);
  const service = await listen(server, '127.0.0.1', 0);
  stops.push(() => service.stop(1_000));
  return service;
}

/** What a caller gets whom the gateway forwards to this address; of a failure what the log gets. */
async function forwarded(origin: string, ca: string | undefined) {
  const client: ServiceClient = createServiceClient(origin, ca);
  stops.push(() => client.close());
  const front: Server = createServer((_req, res) => {
    forwardThrough(client, res).catch(({ status, options }: ApiError) => {
      res.writeHead(status).end(options.detail);
    });
  }).listen(0, '127.0.0.1');
  stops.push(async () => {
    front.close();
    front.closeAllConnections();
  });
  await once(front, 'listening');
  const response = await fetch(`http://127.0.0.1:${(front.address() as AddressInfo).port}`);
  return { status: response.status, text: await response.text() };
}

describe('forwarding over TLS', () => {
  it.each(['127.0.0.1', 'localhost'])('works where the certificate is for %s', async (host) => {
    const { port } = await startService(authority.issue('cases'));
    expect(await forwarded(`https://${host}:${port}`, authority.ca)).toEqual({
      status: 200,
      text: 'TLSv1.3',
    });
  });

  it('waits for a service that is too busy to answer the handshake at once', async () => {
    const { port } = await startService(authority.issue('cases'));
    const busyMs = 1_500;
    const busy = createTcpServer((socket) => {
      const service = connect(port, '127.0.0.1');
      socket.on('error', () => service.destroy());
      service.on('error', () => socket.destroy());
      service.pipe(socket);
      setTimeout(() => socket.pipe(service), busyMs);
    }).listen(0, '127.0.0.1');
    await once(busy, 'listening');
    stops.push(async () => {
      busy.close();
    });
    const { port: busyPort } = busy.address() as AddressInfo;
    expect((await forwarded(`https://127.0.0.1:${busyPort}`, authority.ca)).status).toBe(200);
  });

  it('works with each of two authorities while one takes the place of the other', async () => {
    const next = makeAuthority('next authority');
    const services = [await startService(authority.issue('cases')), await startService(next.issue('cases'))];
    for (const { port } of services) {
      const answer = await forwarded(`https://127.0.0.1:${port}`, authority.ca + next.ca);
      expect(answer.status).toBe(200);
    }
  });

  const other = makeAuthority('other authority');
  it.each([
    ['of another authority', other.issue('cases'), authority.ca, /unable to verify the first certificate/],
    [
      'of an authority that is not given',
      authority.issue('cases'),
      undefined,
      /unable to verify the first certificate/,
    ],
    [
      'for another name',
      authority.issue('identity', { names: ['identity'] }),
      authority.ca,
      /does not match certificate's altnames/,
    ],
    [
      'that has expired',
      authority.issue('cases', { until: yesterday }),
      authority.ca,
      /certificate has expired/,
    ],
    ['that it has not, for it speaks plain HTTP', undefined, authority.ca, /wrong version number/],
  ])('gives 503 for a service with a certificate %s, and says so in the log', async (_, tls, ca, reason) => {
    const { port } = await startService(tls);
    const { status, text } = await forwarded(`https://localhost:${port}`, ca);
    expect({ status, text }).toEqual({ status: 503, text: expect.stringMatching(reason) });
    expect(text).toContain(`https://localhost:${port}: `);
  });
});
