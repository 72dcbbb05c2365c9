import { join } from 'node:path';
import { connectAs, freePort } from '@casewatch/testing';
import { end, startProcess } from '../kit/processes.ts';
import { startServers } from '../kit/servers.ts';
import { openUsage } from '../webhooks/usage.ts';
import type { Target } from './load.ts';
import { answerAsMonitor } from './monitor.ts';
import { seed } from './seed.ts';
import { createDatabaseUser, startServices } from './services.ts';

/** Real servers and the services of a checkout; beside them a bare proxy in front of a bare handler. The bench is the monitor. */
export async function startWorld(checkout: string) {
  const natsMonitorPort = await freePort();
  const servers = await startServers({ natsMonitorPort });
  const urlOf = await createDatabaseUser(servers);
  const bus = await connectAs(servers.nats, 'monitor');
  answerAsMonitor(bus);
  const { services, gatewayUrl, pepper } = await startServices(checkout, servers, urlOf);
  const keys = await seed({ urlOf, pepper });
  const databases = ['identity', 'cases', 'webhooks'].map(
    (name) => [`DATABASE_${name.toUpperCase()}`, new URL(urlOf(name)).pathname.slice(1)] as const,
  );
  const startFloor = async (file: string, env: Record<string, string>) => {
    const process = await startProcess(join(import.meta.dirname, file), env, { readyText: '"url"' });
    return { process, url: (JSON.parse(process.readyLine) as { url: string }).url };
  };
  const handler = await startFloor('floor-main.ts', {
    NODE_ENV: 'production',
    MONGODB_URL: urlOf('identity'),
    ...Object.fromEntries(databases),
  });
  const proxy = await startFloor('../gateway/floor-main.ts', { SERVICE_URL: handler.url });
  const { gateway, identity, cases, webhooks } = services;
  const pids = {
    gateway: gateway.pid,
    identity: identity.pid,
    cases: cases.pid,
    webhooks: webhooks.pid,
    mongod: servers.mongo.pid ?? 0,
    nats: servers.nats.pid ?? 0,
    proxy: proxy.process.pid,
    handler: handler.process.pid,
  };
  const usage = await openUsage({ mongoUrl: servers.mongo.url('identity'), natsMonitorPort, pids });
  const targets: Record<'system' | 'floor' | 'handler' | 'raw', Target> = {
    system: { url: gatewayUrl, keys },
    floor: { url: proxy.url, keys },
    handler: { url: handler.url, keys },
    raw: { url: handler.url, keys, path: '/raw' },
  };
  return {
    targets,
    pids,
    usage,
    async stop(): Promise<void> {
      const running = [proxy.process, handler.process, gateway, webhooks, cases, identity];
      await Promise.all(running.map((process) => end(process)));
      await Promise.all([usage.close(), bus.stop()]);
      await servers.stop();
    },
  };
}

export type World = Awaited<ReturnType<typeof startWorld>>;
