import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serviceNames } from '@casewatch/contracts';
import { connectDatabase, startMongo, type TestMongo } from '@casewatch/testing';
import { afterAll, beforeAll, describe, it } from '@jest/globals';

/** By service and collection, as `listIndexes` shows them. */
type Indexes = Record<string, Record<string, { name: string; key: Record<string, 1 | -1> }[]>>;

/** Filters of indexes have times: in the file as `{"$date": "1970-01-01T00:00:00.000Z"}`. */
function withTimes(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const kept = this[key];
  return kept instanceof Date ? { $date: kept.toISOString() } : value;
}

function readTimes(_key: string, value: unknown): unknown {
  const { $date } = (value ?? {}) as { $date?: unknown };
  return typeof $date === 'string' ? new Date($date) : value;
}

const root = join(import.meta.dirname, '../..');
const file = join(import.meta.dirname, 'last-release-indexes.json');
const withDatabase = serviceNames.filter((name) => name !== 'gateway');

describe('a database of the last release', () => {
  let mongo: TestMongo;
  beforeAll(async () => {
    mongo = await startMongo();
  });
  afterAll(() => mongo.stop());

  /** The step of every start that creates collections and indexes (ADR 0016). */
  async function prepare(service: string, url: string): Promise<void> {
    const env = { ...process.env, NODE_ENV: 'development', TRANSPORT_SECURITY: 'mesh', MONGODB_URL: url };
    const program = join(root, `services/${service}/src/migrate.ts`);
    await promisify(execFile)(process.execPath, [program], { env }).catch((error: { stdout: string }) => {
      throw new Error(error.stdout);
    });
  }

  async function readIndexes(url: string): Promise<Indexes[string]> {
    const db = await connectDatabase(url);
    try {
      const collections = (await db.listCollections()).map(({ name }) => name).toSorted();
      const read = async (name: string) => {
        const indexes = await db.collection(name).indexes();
        return indexes.filter((index) => index.name !== '_id_').map(({ v: _, ...index }) => index);
      };
      return Object.fromEntries(await Promise.all(collections.map(async (name) => [name, await read(name)])));
    } finally {
      await db.close();
    }
  }

  // INDEXES=write (npm run last-release) records those of this commit.
  if (process.env.INDEXES === 'write')
    it('is recorded', async () => {
      const recorded: Indexes = {};
      for (const service of withDatabase) {
        await prepare(service, mongo.url(service));
        recorded[service] = await readIndexes(mongo.url(service));
      }
      writeFileSync(file, `${JSON.stringify(recorded, withTimes, 1)}\n`);
    });

  // docs/service-owners.md: a changed index has a new name, else MongoDB refuses it and no replica of this release starts.
  it.each(withDatabase)('has no index that keeps %s of this release from its start', async (service) => {
    const recorded = JSON.parse(readFileSync(file, 'utf8'), readTimes) as Indexes;
    const url = mongo.url(`${service}-upgraded`);
    const db = await connectDatabase(url);
    try {
      for (const [name, indexes] of Object.entries(recorded[service] ?? {}))
        if (indexes.length > 0) await db.collection(name).createIndexes(indexes);
        else await db.createCollection(name);
    } finally {
      await db.close();
    }
    await prepare(service, url);
  });
});
