import { backend } from './backend.ts';
import type { TestServer } from './test-server.ts';

let server: TestServer | undefined;

export async function startGlobalServers(): Promise<void> {
  server = await backend().mongo();
  process.env.TEST_MONGODB_URL = server.url;
}

export async function stopGlobalServers(): Promise<void> {
  await server?.stop();
  server = undefined;
}
