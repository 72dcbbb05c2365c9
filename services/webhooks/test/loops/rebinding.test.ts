import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import tls from 'node:tls';
import {
  makeAuthority,
  startMongo,
  startNats,
  type TestMongo,
  type TestNats,
  waitFor,
} from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dnsResolver } from '../../src/clients/dns.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { type Siblings, startSiblings } from '../support/siblings.ts';
import { startTestWebhooks, type TestWebhooks } from '../support/start-webhooks.ts';

/** An address of this machine that is not loopback: the settings can allow it. */
const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
const ownNetwork = ownAddress?.replace(/\d+$/, '0/24') ?? '';
/** Where a hostile name leads in the end. */
const insideAddress = '127.77.18.5';
const publicAddress = '93.184.215.14';

const authority = makeAuthority('rebinding authority');
const trusted = tls.getCACertificates('default');
const dnsNames: Record<string, string> = {};
/** Bodies that arrived at ownAddress, and connections at insideAddress. */
const arrived: string[] = [];
const connections = { trap: 0 };

let mongo: TestMongo;
let nats: TestNats;
let dns: DnsServer;
let siblings: Siblings;
let outside: Server;
let trap: Server;
let port: number;

beforeAll(async () => {
  [mongo, nats, dns] = await Promise.all([startMongo(), startNats(), startDnsServer(dnsNames)]);
  siblings = await startSiblings(nats);
  tls.setDefaultCACertificates([...trusted, authority.ca]);
  const certificate = authority.issue('receiver', { names: ['allowed.example', 'turning.example'] });
  outside = createTlsServer(certificate, (req, res) => {
    req.on('data', (bytes) => arrived.push(String(bytes))).on('end', () => res.end());
  });
  outside.listen(0, ownAddress ?? '127.0.0.1');
  await once(outside, 'listening');
  port = (outside.address() as AddressInfo).port;
  trap = createServer((socket) => {
    connections.trap += 1;
    socket.destroy();
  });
  trap.listen(port, insideAddress);
  await once(trap, 'listening');
});
afterAll(async () => {
  tls.setDefaultCACertificates(trusted);
  await siblings.stop();
  await Promise.all([outside, trap].map((server) => new Promise((done) => server.close(done))));
  await Promise.all([mongo.stop(), nats.stop(), dns.stop()]);
});

type NetworkSettings = { denied?: string | undefined; allowed?: string | undefined };
type Running = { service: TestWebhooks; passTime(): void };

async function withService(
  { denied = '', allowed = '' }: NetworkSettings,
  work: (running: Running) => Promise<void>,
) {
  const env = {
    WEBHOOKS_ALLOW_LOOPBACK: 'false',
    WEBHOOKS_ALLOWED_PORTS: `443 ${port}`,
    WEBHOOKS_DENIED_NETWORKS: denied,
    WEBHOOKS_ALLOWED_NETWORKS: allowed,
  };
  const options = { mongo, nats, resolve: dnsResolver([dns.address]), env, shiftMs: 0, dnsMs: 3_000 };
  const service = await startTestWebhooks(options);
  const passTime = () => {
    options.shiftMs += 2_000; // Longer than the result of a check is cached.
  };
  try {
    await work({ service, passTime });
  } finally {
    await service.stop();
  }
}

function register(service: TestWebhooks, partnerId: number, host: string) {
  const url = `https://${host}:${port}/hook`;
  return service.call(partnerId, 'POST', '/v1/webhooks', { url, events: ['*'] });
}

let users = 0;
/** The first attempt of a new delivery. */
async function attemptOf(service: TestWebhooks, partner_id: number, webhookId: number) {
  users += 1;
  const deleted = { user_id: users, partner_id, version: 2 };
  const event_id = `evt_${await siblings.identity.publish('user.deleted', deleted)}`;
  return await waitFor(async () => {
    const { body } = await service.call(partner_id, 'GET', `/v1/webhooks/${webhookId}/deliveries`);
    return body.deliveries?.find((delivery) => delivery.event_id === event_id)?.attempts[0];
  });
}

const blocked = { status: null, error: 'blocked_address' };
const whereReachable = ownAddress === undefined ? it.skip : it;

describe('a name', () => {
  it('that turns private after it was registered is not called', async () => {
    await withService({}, async ({ service, passTime }) => {
      dnsNames['later.example'] = publicAddress;
      const { status, body } = await register(service, 1, 'later.example');
      expect(status).toBe(201);
      dnsNames['later.example'] = insideAddress;
      passTime();
      expect(await attemptOf(service, 1, body.webhook?.id ?? 0)).toMatchObject(blocked);
      expect(connections.trap).toBe(0);
    });
  });

  whereReachable('that turns within an attempt is called at the address that was judged', async () => {
    await withService({ allowed: ownAddress }, async ({ service, passTime }) => {
      dnsNames['turning.example'] = String(ownAddress);
      const { body } = await register(service, 2, 'turning.example');
      const answers = [String(ownAddress)];
      Object.defineProperty(dnsNames, 'turning.example', { get: () => answers.shift() ?? insideAddress });
      dns.asked.length = 0;
      passTime();
      expect(await attemptOf(service, 2, body.webhook?.id ?? 0)).toMatchObject({ status: 200, error: null });
      expect(arrived).toMatchObject([expect.stringContaining('user.deleted')]);
      expect(connections.trap).toBe(0);
      // One question for each family of addresses: the socket asked nothing. Retries of the other test may ask too.
      const asked = dns.asked.filter((name) => name === 'turning.example');
      expect(asked).toHaveLength(2);
      passTime();
      expect(await attemptOf(service, 2, body.webhook?.id ?? 0)).toMatchObject(blocked);
      expect(connections.trap).toBe(0);
    });
  });
});

describe('the settings of networks', () => {
  whereReachable('allow and deny an endpoint, when it is registered and at each attempt', async () => {
    dnsNames['allowed.example'] = String(ownAddress);
    await withService({ denied: ownNetwork }, async ({ service }) => {
      const { status, body } = await register(service, 3, 'allowed.example');
      expect([status, body.code]).toEqual([400, 'webhook_url_not_allowed']);
    });
    let id = 0;
    await withService({ denied: ownNetwork, allowed: ownAddress }, async ({ service }) => {
      const { status, body } = await register(service, 3, 'allowed.example');
      expect(status).toBe(201);
      id = body.webhook?.id ?? 0;
      expect(await attemptOf(service, 3, id)).toMatchObject({ status: 200, error: null });
    });
    await withService({ denied: ownAddress }, async ({ service }) => {
      expect(await attemptOf(service, 3, id)).toMatchObject(blocked);
    });
  });
});
