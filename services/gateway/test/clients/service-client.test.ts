import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServiceClient, type ServiceClient } from '../../src/clients/service-client.ts';

const request = { method: 'GET', path: '/', headers: {}, body: null, deadlineMs: 10_000 };

/** What a caller of the gateway gets: requests to `front` are forwarded by `client`. */
function startFront(client: () => ServiceClient): Server {
  return createServer((_req, res: ServerResponse) => {
    client()
      .forward(request, res)
      .catch((error: { code: string }) => res.writeHead(503).end(error.code));
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
    const service = createServer((_req, res) => res.end('here')).listen(port, '127.0.0.1');
    await once(service, 'listening');

    expect(await (await answered).text()).toBe('here');
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
});
