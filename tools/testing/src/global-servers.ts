import { backend } from './backend.ts';
import type { TestServer } from './test-server.ts';

let server: TestServer | undefined;

/** Starts the shared mongod of a jest run; workers read its address from TEST_MONGODB_URL. */
export async function startGlobalServers(): Promise<void> {
  server = await backend().mongo();
  process.env.TEST_MONGODB_URL = server.url;
}

export async function stopGlobalServers(): Promise<void> {
  await server?.stop();
  server = undefined;
}
