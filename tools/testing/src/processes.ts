import { join } from 'node:path';
import {
  freePort,
  type RunningServer,
  resolveBinary,
  startMongod,
  startNatsServer,
} from '@casewatch/dev/servers';
import { type TempFolder, tempFolder } from './temp-folder.ts';
import type { TestServer } from './test-server.ts';

/** A mongod of its own, a replica set of one, on a free port with its data in a temporary folder. */
export async function processMongo(): Promise<TestServer> {
  const [{ path: binary }, folder, port] = await Promise.all([
    resolveBinary('mongod'),
    tempFolder(),
    freePort(),
  ]);
  const dataDir = join(folder.path, 'data');
  return inFolder(folder, startMongod({ binary, dataDir, port, logFile: join(folder.path, 'mongod.log') }));
}

/** A nats-server of its own on a free port with its streams in a temporary folder. */
export async function processNats(authorization: string): Promise<TestServer> {
  const [{ path: binary }, folder, port] = await Promise.all([
    resolveBinary('nats-server'),
    tempFolder(),
    freePort(),
  ]);
  const files = { dataDir: join(folder.path, 'data'), logFile: join(folder.path, 'nats.log') };
  return inFolder(folder, startNatsServer({ binary, port, authorization, ...files }));
}

async function inFolder(folder: TempFolder, starting: Promise<RunningServer>): Promise<TestServer> {
  try {
    const { url, pid, stop } = await starting;
    return { url, pid, stop: () => stop().then(() => folder.remove()) };
  } catch (err) {
    await folder.remove();
    throw err;
  }
}
