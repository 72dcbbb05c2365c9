import { startMongo, startNats } from '@casewatch/testing';

export async function startServers({ cacheGiB }: { cacheGiB?: number } = {}) {
  const [mongo, nats] = await Promise.all([
    startMongo({ own: true, ...(cacheGiB !== undefined && { cacheGiB }) }),
    startNats(),
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
