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

export async function processMongo(cacheGiB?: number): Promise<TestServer> {
  const { path: binary } = await resolveBinary('mongod');
  return await onFreePort(async (port) => {
    const folder = await tempFolder();
    const files = { dataDir: join(folder.path, 'data'), logFile: join(folder.path, 'mongod.log') };
    const size = cacheGiB === undefined ? {} : { cacheGiB };
    return await inFolder(folder, startMongod({ binary, port, ...files, ...size }));
  });
}

export async function processNats(authorization: string): Promise<TestServer> {
  const { path: binary } = await resolveBinary('nats-server');
  return await onFreePort(async (port) => {
    const folder = await tempFolder();
    const files = { dataDir: join(folder.path, 'data'), logFile: join(folder.path, 'nats.log') };
    return await inFolder(folder, startNatsServer({ binary, port, authorization, ...files }));
  });
}

const tries = 5;

/** Another process may take a free port before the server does; then it tries another port. */
async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let triesLeft = tries; ; triesLeft--) {
    try {
      return await start(await freePort());
    } catch (err) {
      const isTaken = err instanceof Error && /address already in use/i.test(err.message);
      if (!isTaken || triesLeft === 1) throw err;
    }
  }
}

async function inFolder(folder: TempFolder, starting: Promise<RunningServer>): Promise<TestServer> {
  try {
    const { url, pid, stop } = await starting;
    // Its data go too: an orderly end (0.2 s of nats-server) would save what nobody reads.
    return { url, pid, stop: () => stop(0).then(() => folder.remove()) };
  } catch (err) {
    await folder.remove();
    throw err;
  }
}
