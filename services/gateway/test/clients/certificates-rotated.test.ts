import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type ApiError, createLogger, followCertificate, serverTls, startHttp } from '@casewatch/platform';
import { makeAuthority, tempFolder, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createServiceClient, type ServiceClient } from '../../src/clients/service-client.ts';
import { withTimeouts } from '../../src/clients/with-timeouts.ts';

const request = { method: 'GET', path: '/livez', headers: [], body: null, waitMs: 10_000 };
const waits = { answerMs: 10_000, receiveMs: 10_000 };
const forwardThrough = (client: ServiceClient, res: ServerResponse) =>
  withTimeouts(res, waits, (patience) => client.forward(request, res, patience));
const former = makeAuthority('former authority');
const next = makeAuthority('next authority');
const log = createLogger('cases', 'silent');

let folder: Awaited<ReturnType<typeof tempFolder>>;
beforeAll(async () => {
  folder = await tempFolder();
});
afterAll(() => folder.remove());

/** Requests one after the other on each of some lines, until stopped; every answer but 200 counts as failed. */
function startLoad(origin: string) {
  const failures: string[] = [];
  let sent = 0;
  let isStopping = false;
  const line = async () => {
    while (!isStopping) {
      const { status, text } = await fetch(origin).then(
        async (answer) => ({ status: answer.status, text: await answer.text() }),
        (error: Error) => ({ status: 0, text: error.message }),
      );
      sent += 1;
      if (status !== 200) failures.push(`${status} ${text}`);
    }
  };
  const lines = Promise.all(Array.from({ length: 8 }, line));
  return {
    failures,
    /** Waits for this many requests more. */
    async more(count: number) {
      const goal = sent + count;
      await waitFor(() => sent >= goal, { what: `${count} requests`, timeoutMs: 60_000 });
    },
    async stop() {
      isStopping = true;
      await lines;
    },
  };
}

it('replaces the authority and the certificate under load, without a failed request', async () => {
  const env = { TLS_CERT_FILE: join(folder.path, 'tls.crt'), TLS_KEY_FILE: join(folder.path, 'tls.key') };
  const write = ({ cert, key }: { cert: string; key: string }) => {
    writeFileSync(env.TLS_CERT_FILE, cert);
    writeFileSync(env.TLS_KEY_FILE, key);
  };
  const before = former.issue('cases');
  write(before);
  const tls = serverTls({ TLS_CERT: before.cert, TLS_KEY: before.key });
  const host = '127.0.0.1';
  const service = await startHttp({ service: 'cases', log, host, port: 0, tls, ready: async () => true });
  const gatewayThatTrusts = (ca: string) => createServiceClient(`https://${host}:${service.port}`, ca);

  let replaced = 0;
  const counting = Object.assign(Object.create(log) as typeof log, { info: () => (replaced += 1) });
  const stopFollowing = followCertificate(env, counting, 20);
  let client = gatewayThatTrusts(former.ca);
  const front = createServer((_req, res) => {
    forwardThrough(client, res).catch(({ status, options }: ApiError) => {
      res.writeHead(status).end(options.detail);
    });
  }).listen(0, host);
  await once(front, 'listening');
  const load = startLoad(`http://${host}:${(front.address() as AddressInfo).port}`);
  // A roll of the gateway: the next one takes over, and the former one ends what it has begun.
  const rollGateway = async (ca: string) => {
    const last = client;
    client = gatewayThatTrusts(ca);
    await last.close();
    await load.more(100);
  };

  await load.more(100);
  await rollGateway(former.ca + next.ca);
  write(next.issue('cases'));
  await waitFor(() => replaced > 0, { what: 'the new certificate' });
  await load.more(100); // over connections from before
  await rollGateway(former.ca + next.ca); // over new ones
  await rollGateway(next.ca);

  await load.stop();
  stopFollowing();
  front.close();
  await client.close();
  await service.stop(1_000);
  expect(load.failures).toEqual([]);
});
