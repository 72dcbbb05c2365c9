import { connectAs, freePort, waitFor } from '@casewatch/testing';
import { end, pathOf, startProcess } from '../kit/processes.ts';
import { type Servers, startServers } from '../kit/servers.ts';
import { localSettings, newPrincipalKey } from '../kit/service-settings.ts';
import { type PartnerCall, partnerCaller } from './partner-caller.ts';
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
  const { key, PRINCIPAL_JWKS } = newPrincipalKey();
  const mongoUrl = servers.mongo.url('webhooks');
  const env = settingsOf(servers, mongoUrl, PRINCIPAL_JWKS);
  const start = () => startProcess(pathOf('services/webhooks/src/main.ts'), env);
  let service = await start();
  const { port } = JSON.parse(service.readyLine) as { port: number };
  const call = partnerCaller(port, key);
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

function settingsOf({ nats }: Servers, mongoUrl: string, PRINCIPAL_JWKS: string) {
  return {
    ...localSettings,
    MONGODB_URL: mongoUrl,
    PRINCIPAL_JWKS,
    CURSOR_KEY: 'a'.repeat(32),
    WEBHOOKS_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    WEBHOOKS_ALLOW_LOOPBACK: 'true',
    ...nats.user('webhooks'),
  };
}

async function subscribeAll(call: PartnerCall, urls: string[], rate_limit: number) {
  const hooks: { partner: number; id: number }[] = [];
  for (const [i, url] of urls.entries()) {
    const partner = i + 1;
    const body = { url, events: ['user.deleted'], rate_limit };
    hooks.push({ partner, id: (await call(partner, 'POST', '/v1/webhooks', body)).id });
  }
  return hooks;
}
