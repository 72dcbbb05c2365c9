import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { principalHeader, principalSigner } from '@casewatch/platform';
import { connectAs, freePort, waitFor } from '@casewatch/testing';
import { end, pathOf, type Running, startProcess } from '../kit/processes.ts';
import { startServers } from '../kit/servers.ts';
import { createPublisher } from './publisher.ts';
import type { Arrival, ReceiverState } from './receiver-main.ts';
import { openUsage } from './usage.ts';

type Options = { endpoints: number; hanging?: number; rate: number };

const patience = { timeoutMs: 300_000, intervalMs: 100 };

/** Real servers, one process of webhooks, a receiver, and one endpoint for each of the partners 1, 2, 3 … */
export async function startWorld({ endpoints, hanging = 0, rate }: Options) {
  const natsMonitorPort = await freePort();
  const servers = await startServers({ natsMonitorPort });
  const bus = await connectAs(servers.nats, 'identity');
  const receiver = await startProcess(
    join(import.meta.dirname, 'receiver-main.ts'),
    { RECEIVER_PORTS: String(endpoints + hanging), RECEIVER_HANGING: String(hanging) },
    { readyText: '"urls"' },
  );
  const { urls, controlUrl } = JSON.parse(receiver.readyLine) as { urls: string[]; controlUrl: string };
  const signing = newKey();
  const mongoUrl = servers.mongo.url('webhooks');
  const { d: _, ...publicKey } = signing;
  const env = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    PORT: '0',
    MONGODB_URL: mongoUrl,
    PRINCIPAL_JWKS: JSON.stringify({ keys: [publicKey] }),
    CURSOR_KEY: 'a'.repeat(32),
    WEBHOOKS_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    WEBHOOKS_ALLOW_LOOPBACK: 'true',
    ...servers.nats.user('webhooks'),
  };
  const start = () => startProcess(pathOf('services/webhooks/src/main.ts'), env);
  let service = await start();
  await subscribeAll(service, urls, { rate, signing });

  async function stateOf(path: string) {
    return (await (await fetch(`${controlUrl}${path}`)).json()) as ReceiverState;
  }

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
    async forgetArrivals(): Promise<void> {
      await fetch(controlUrl, { method: 'DELETE' });
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

type Access = { rate: number; signing: ReturnType<typeof newKey> };

async function subscribeAll(service: Running, urls: string[], { rate, signing }: Access): Promise<void> {
  const { port } = JSON.parse(service.readyLine) as { port: number };
  const sign = principalSigner(signing);
  for (const [i, url] of urls.entries()) {
    const scopes: ['webhooks'] = ['webhooks'];
    const principal = { kind: 'partner' as const, partner_id: i + 1, key_id: 'bench', scopes };
    const call = { method: 'POST', path: '/v1/webhooks' };
    const token = sign({ principal, address: '192.0.2.1' }, 'webhooks', call);
    const response = await fetch(`http://127.0.0.1:${port}${call.path}`, {
      method: call.method,
      headers: { [principalHeader]: token, 'content-type': 'application/json' },
      body: JSON.stringify({ url, events: ['user.deleted'], rate_limit: rate }),
    });
    if (response.status !== 201) throw new Error(`not subscribed: ${await response.text()}`);
  }
}

function newKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' });
  return { kty: 'EC' as const, crv: 'P-256' as const, x, y, d, kid: 'bench' };
}
