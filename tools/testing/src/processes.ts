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
export async function processMongo(cacheGiB?: number): Promise<TestServer> {
  const { path: binary } = await resolveBinary('mongod');
  return await onFreePort(async (port) => {
    const folder = await tempFolder();
    const files = { dataDir: join(folder.path, 'data'), logFile: join(folder.path, 'mongod.log') };
    const size = cacheGiB === undefined ? {} : { cacheGiB };
    return await inFolder(folder, startMongod({ binary, port, ...files, ...size }));
  });
}

/** A nats-server of its own on a free port with its streams in a temporary folder. */
export async function processNats(authorization: string): Promise<TestServer> {
  const { path: binary } = await resolveBinary('nats-server');
  return await onFreePort(async (port) => {
    const folder = await tempFolder();
    const files = { dataDir: join(folder.path, 'data'), logFile: join(folder.path, 'nats.log') };
    return await inFolder(folder, startNatsServer({ binary, port, authorization, ...files }));
  });
}

const tries = 5;

/** A port that is free now may be somebody's the next moment: then another one is taken. */
async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await start(await freePort());
    } catch (err) {
      const isTaken = err instanceof Error && /address already in use/i.test(err.message);
      if (!isTaken || left === 1) throw err;
    }
  }
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
