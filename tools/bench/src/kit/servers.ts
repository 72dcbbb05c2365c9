import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, resolveBinary, startMongod, startNatsServer } from '@casewatch/dev/servers';
import { say } from './report.ts';

/** A server without clients, with its data on the same disk as those of a system. */
export async function startServer(name: 'mongod' | 'nats-server') {
  const dataDir = await mkdtemp(join(tmpdir(), 'casewatch-bench-'));
  const { path: binary } = await resolveBinary(name, { env: process.env, onProgress: say });
  const options = { binary, dataDir, port: await freePort(), logFile: join(dataDir, `${name}.log`) };
  const server = await (name === 'mongod' ? startMongod(options) : startNatsServer(options));
  return {
    url: server.url,
    pid: server.pid,
    async stop(): Promise<void> {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
