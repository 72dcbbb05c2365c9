import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { backend } from './backend.ts';
import type { TestServer } from './test-server.ts';

export interface TestMongo {
  /**
   * Address of a database of this test's own. Without a name each call gives a new one; with a name the same name
   * gives the same database (its stored name has a random ending).
   */
  url(dbName?: string): string;
  /** Process id, only of a server of one's own that is not in a container. */
  pid: number | undefined;
  /** Drops the databases handed out, or ends the server if it was one's own. */
  stop(): Promise<void>;
}

/**
 * A real MongoDB, a replica set of one: the one of this jest run (TEST_MONGODB_URL, set by global-setup.ts), or a
 * server of its own with `{ own: true }` (to be killed or frozen) and outside jest; `cacheGiB` is that server's cache.
 */
export async function startMongo(options: { own?: boolean; cacheGiB?: number } = {}): Promise<TestMongo> {
  const shared = options.own ? undefined : process.env.TEST_MONGODB_URL;
  const server = shared === undefined ? await backend().mongo(options.cacheGiB) : sharedServer(shared);
  const names = new Map<string, string>();
  const url = (dbName?: string): string => {
    const random = randomBytes(6).toString('hex');
    const key = dbName ?? random;
    const name = names.get(key) ?? `${dbName ?? 'test'}_${random}`;
    names.set(key, name);
    const address = new URL(server.url);
    address.pathname = `/${name}`;
    return address.href;
  };
  const stop = async (): Promise<void> => {
    if (shared !== undefined) await dropAll(shared, [...names.values()]);
    await server.stop();
  };
  return { url, pid: server.pid, stop };
}

function sharedServer(url: string): TestServer {
  return { url, pid: undefined, stop: () => Promise.resolve() };
}

async function dropAll(url: string, names: string[]): Promise<void> {
  const client = await new mongoose.mongo.MongoClient(url).connect();
  try {
    await Promise.all(names.map((name) => client.db(name).dropDatabase()));
  } finally {
    await client.close();
  }
}
