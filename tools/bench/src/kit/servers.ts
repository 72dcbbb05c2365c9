import { startMongo, startNats } from '@casewatch/testing';

type Options = { cacheGiB?: number; natsMonitorPort?: number };

export async function startServers({ cacheGiB, natsMonitorPort = 0 }: Options = {}) {
  const [mongo, nats] = await Promise.all([
    startMongo({ own: true, ...(cacheGiB !== undefined && { cacheGiB }) }),
    startNats({ monitorPort: natsMonitorPort }),
  ]);
  return {
    mongo,
    nats,
    async stop(): Promise<void> {
      await Promise.all([nats.stop(), mongo.stop()]);
    },
  };
}

export type Servers = Awaited<ReturnType<typeof startServers>>;
