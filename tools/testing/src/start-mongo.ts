import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { backend } from './backend.ts';
import type { TestServer } from './test-server.ts';

export interface TestMongo {
  /** Address of a new database of this test; the same name gives the same database. Without a name each call gives a new one. */
  url(dbName?: string): string;
  /** Process id of an own server; undefined for a shared server or a container. */
  pid: number | undefined;
  /** Drops the databases of this test, or ends its own server. */
  stop(): Promise<void>;
}

/**
 * A replica set of one member: the shared server of the jest run (TEST_MONGODB_URL), or with `{ own: true }` and outside jest
 * an own server, which a test may kill or freeze. `cacheGiB` is the cache of an own server.
 */
export async function startMongo(options: { own?: boolean; cacheGiB?: number } = {}): Promise<TestMongo> {
  const shared = options.own ? undefined : process.env.TEST_MONGODB_URL;
  const server = shared === undefined ? await backend().mongo(options.cacheGiB) : sharedServer(shared);
  const names = new Map<string, string>();
  const url = (dbName?: string): string => {
    const key = dbName ?? `test${names.size}`;
    const name = names.get(key) ?? `${key}_${randomBytes(6).toString('hex')}`;
    names.set(key, name);
    const address = new URL(server.url);
    address.pathname = `/${name}`;
    return address.href;
  };
  const stop = async (): Promise<void> => {
    if (shared !== undefined) await drop(shared, [...names.values()]);
    await server.stop();
  };
  return { url, pid: server.pid, stop };
}

async function drop(url: string, names: readonly string[]): Promise<void> {
  const client = await new mongoose.mongo.MongoClient(url).connect();
  try {
    for (const name of names) await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}

function sharedServer(url: string): TestServer {
  return { url, pid: undefined, stop: () => Promise.resolve() };
}
