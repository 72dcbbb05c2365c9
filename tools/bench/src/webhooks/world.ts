import { generateKeyPairSync } from 'node:crypto';
import { principalHeader, principalSigner } from '@casewatch/platform';
import { connectAs, freePort, waitFor } from '@casewatch/testing';
import { end, pathOf, type Running, startProcess } from '../kit/processes.ts';
import { type Servers, startServers } from '../kit/servers.ts';
import { createPublisher } from './publisher.ts';
import { startReceiver } from './receiver.ts';
import type { Arrival } from './receiver-main.ts';
import { openUsage } from './usage.ts';

type Options = { endpoints: number; hanging?: number; rate: number };

const patience = { timeoutMs: 300_000, intervalMs: 100 };

/** Real servers, one process of webhooks, a receiver, and one endpoint for each of the partners 1, 2, 3 … */
export async function startWorld({ endpoints, hanging = 0, rate }: Options) {
  const natsMonitorPort = await freePort();
  const servers = await startServers({ natsMonitorPort });
  const bus = await connectAs(servers.nats, 'identity');
  const { receiver, urls, stateOf, forgetArrivals } = await startReceiver({
    ports: endpoints + hanging,
    hanging,
  });
  const signing = newKey();
  const mongoUrl = servers.mongo.url('webhooks');
  const env = settingsOf(servers, mongoUrl, signing);
  const start = () => startProcess(pathOf('services/webhooks/src/main.ts'), env);
  let service = await start();
  const call = caller(service, signing);
  const hooks = await subscribeAll(call, urls, rate);

  return {
    publish: createPublisher(bus),
    pid: () => service.pid,
    openUsage: () =>
      openUsage({
        pids: { webhooks: service.pid, mongod: servers.mongo.pid ?? 0, 'nats-server': servers.nats.pid ?? 0 },
        mongoUrl,
        natsMonitorPort,
      }),
    /** Kills webhooks and starts it again. */
    async kill(): Promise<void> {
      await end(service, 'SIGKILL');
      service = await start();
    },
    forgetArrivals,
    /** Ends or resumes the sending to the hanging endpoints. */
    async setHangingActive(active: boolean): Promise<void> {
      for (const { partner, id } of hooks.slice(urls.length - hanging))
        await call(partner, 'PUT', `/v1/webhooks/${id}`, { active });
    },
    hangingSockets: async () => (await stateOf('/count')).hangingSockets,
    /** Waits until so many different events have arrived. Returns the repetitions too. */
    async arrivals(count: number): Promise<Arrival[]> {
      const hasAll = async () => (await stateOf('/count')).distinct >= count;
      await waitFor(hasAll, { ...patience, what: `${count} arrivals` });
      return (await stateOf('/')).arrivals;
    },
    async stop(): Promise<void> {
      await end(service);
      await end(receiver);
      await bus.stop();
      await servers.stop();
    },
  };
}

type Call = (partner: number, method: string, path: string, body: object) => Promise<{ id: number }>;

function settingsOf({ nats }: Servers, mongoUrl: string, signing: ReturnType<typeof newKey>) {
  const { d: _, ...publicKey } = signing;
  return {
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    PORT: '0',
    MONGODB_URL: mongoUrl,
    PRINCIPAL_JWKS: JSON.stringify({ keys: [publicKey] }),
    CURSOR_KEY: 'a'.repeat(32),
    WEBHOOKS_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    WEBHOOKS_ALLOW_LOOPBACK: 'true',
    ...nats.user('webhooks'),
  };
}

/** Calls webhooks as a partner. */
function caller(service: Running, signing: ReturnType<typeof newKey>): Call {
  const { port } = JSON.parse(service.readyLine) as { port: number };
  const sign = principalSigner(signing);
  return async (partner_id, method, path, body) => {
    const scopes: ['webhooks'] = ['webhooks'];
    const principal = { kind: 'partner' as const, partner_id, key_id: 'bench', scopes };
    const token = sign({ principal, address: '192.0.2.1' }, 'webhooks', { method, path });
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { [principalHeader]: token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return ((await response.json()) as { webhook: { id: number } }).webhook;
  };
}

async function subscribeAll(call: Call, urls: string[], rate_limit: number) {
  const hooks: { partner: number; id: number }[] = [];
  for (const [i, url] of urls.entries()) {
    const partner = i + 1;
    const body = { url, events: ['user.deleted'], rate_limit };
    hooks.push({ partner, id: (await call(partner, 'POST', '/v1/webhooks', body)).id });
  }
  return hooks;
}

function newKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' });
  return { kty: 'EC' as const, crv: 'P-256' as const, x, y, d, kid: 'bench' };
}
