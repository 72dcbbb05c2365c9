import { backend } from './backend.ts';
import type { TestServer } from './test-server.ts';

const cacheGiB = 4;

let server: TestServer | undefined;

export async function startGlobalServers(): Promise<void> {
  // A cache of half a GiB is dirty all the time; its eviction takes a tenth of the CPU of mongod.
  server = await backend().mongo(cacheGiB);
  // It stays primary: no client needs the second connection that would tell it of a change immediately.
  process.env.TEST_MONGODB_URL = `${server.url}&serverMonitoringMode=poll`;
}

export async function stopGlobalServers(): Promise<void> {
  await server?.stop();
  server = undefined;
}
