import { backend } from './backend.ts';
import type { TestServer } from './test-server.ts';
import { newDatabase, returnDatabases, takeDatabase } from './used-databases.ts';

export interface TestMongo {
  /** Address of an empty database of this test. Without a name each call gives a new one; a service's may have its collections. */
  url(dbName?: string): string;
  /** Process id of an own server; undefined for a shared server or a container. */
  pid: number | undefined;
  /** Empties or drops the databases of this test, or ends its own server. */
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
    const name = names.get(key) ?? (shared === undefined ? newDatabase(key) : takeDatabase(key));
    names.set(key, name);
    const address = new URL(server.url);
    address.pathname = `/${name}`;
    return address.href;
  };
  const stop = async (): Promise<void> => {
    if (shared !== undefined) await returnDatabases(names);
    await server.stop();
  };
  return { url, pid: server.pid, stop };
}

function sharedServer(url: string): TestServer {
  return { url, pid: undefined, stop: () => Promise.resolve() };
}
