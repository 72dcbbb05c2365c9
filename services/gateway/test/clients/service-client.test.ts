import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { freePort, waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServiceClient, type ServiceClient } from '../../src/clients/service-client.ts';
import { withTimeouts } from '../../src/clients/with-timeouts.ts';

const request = { method: 'POST', path: '/', headers: [], body: Buffer.from('{}'), waitMs: 10_000 };
const waits = { answerMs: 10_000, receiveMs: 300 };

/** What a caller of the gateway gets: requests to `front` are forwarded by `client`. */
function startFront(client: () => ServiceClient): Server {
  return createServer((_req, res: ServerResponse) => {
    withTimeouts(res, waits, (patience) => client().forward(request, res, patience)).catch(
      (error: { code: string }) => res.writeHead(503).end(error.code),
    );
  }).listen(0, '127.0.0.1');
}

describe('forwarding to a service', () => {
  let client: ServiceClient;
  let front: Server;
  let origin: string;
  let port: number;
  beforeEach(async () => {
    port = await freePort();
    client = createServiceClient(`http://127.0.0.1:${port}`);
    front = startFront(() => client);
    await once(front, 'listening');
    origin = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    await client.close();
    front.close();
    front.closeAllConnections();
  });

  it('waits for a service that nothing could be sent to yet', async () => {
    const answered = fetch(origin);
    // A first try finds nobody there, and only then somebody comes.
    await once(front, 'request');
    const service = createServer((req, res) => req.pipe(res)).listen(port, '127.0.0.1');
    await once(service, 'listening');

    expect(await (await answered).text()).toBe('{}');
    service.close();
    service.closeAllConnections();
  });

  it('does not send a second time what was sent', async () => {
    let requests = 0;
    const service = createServer((req) => {
      requests += 1;
      req.socket.destroy();
    }).listen(port, '127.0.0.1');
    await once(service, 'listening');

    expect((await fetch(origin)).status).toBe(503);
    expect(requests).toBe(1);
    service.close();
  });

  it('refuses at once what would wait behind 256 others for one of 64 connections', async () => {
    let requests = 0;
    const service = createServer(() => {
      requests += 1;
    }).listen(port, '127.0.0.1');
    await once(service, 'listening');
    let refusals = 0;
    const asked = Array.from({ length: 322 }, async () => {
      const { status } = await fetch(origin);
      if (status === 503) refusals += 1;
    });
    const ended = Promise.allSettled(asked);
    await waitFor(() => requests === 64 && refusals === 2, { what: 'two refusals' });

    front.closeAllConnections();
    await ended;
    // What its client gave up while it waited for a connection is never sent.
    await waitFor(async () => (await connectionsOf(service)) === 0, { what: 'the end of all connections' });
    expect(requests).toBe(64);
    service.close();
  });

  it.each([256, 12 * 1024, 12 * 1024 + 1, 300_000])(
    'passes each byte of a body of %i bytes on',
    async (length) => {
      const bytes = Buffer.from(Array.from({ length }, (_, i) => i % 256));
      const service = createServer((_req, res) =>
        res.writeHead(200, { 'content-length': length }).end(bytes),
      );
      service.listen(port, '127.0.0.1');
      await once(service, 'listening');

      const answered = await fetch(origin);
      expect(answered.headers.get('content-length')).toBe(String(length));
      expect(Buffer.from(await answered.arrayBuffer()).equals(bytes)).toBe(true);
      service.close();
      service.closeAllConnections();
    },
  );

  it('lets its connection go where the client does not receive the answer', async () => {
    const service = createServer((_req, res) => pipeline(endlessly(), res, () => undefined));
    service.listen(port, '127.0.0.1');
    await once(service, 'listening');
    const client = connect((front.address() as AddressInfo).port, '127.0.0.1');
    // The gateway breaks the answer off, which is an error here.
    client.on('error', () => undefined).pause();
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [socket] = (await once(service, 'connection')) as [Socket];

    // Not `once` of node:events: the connection may end with an error.
    await new Promise((resolve) => socket.once('close', resolve));
    client.destroy();
    service.close();
  });
});

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

function endlessly(): Readable {
  return Readable.from(repeat(Buffer.alloc(64 * 1024)));
}

function* repeat(chunk: Buffer) {
  for (;;) yield chunk;
}
