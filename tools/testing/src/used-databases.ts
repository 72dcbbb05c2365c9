import { randomBytes } from 'node:crypto';
import { serviceNames } from '@casewatch/contracts';
import type mongoose from 'mongoose';
import { sharedConnection } from './connect-database.ts';

type Database = mongoose.mongo.Db;

/** More documents are dropped faster than they are deleted. */
const fewDocuments = 5_000;

/** Emptied databases of this process, by the service that made their collections. */
const emptied = new Map<string, string[]>(serviceNames.map((service) => [service, []]));

export function newDatabase(name: string): string {
  return `${name}_${randomBytes(6).toString('hex')}`;
}

/** The name of an emptied database of this service, or else of a new database. */
export function takeDatabase(name: string): string {
  return emptied.get(name)?.pop() ?? newDatabase(name);
}

/**
 * Empties the databases that are named for a service, for later tests of this process, and drops the others. Making and
 * dropping tables takes mongod longer with each table that there was.
 * @param used names of databases, by the name that the test asked for
 */
export async function returnDatabases(used: ReadonlyMap<string, string>): Promise<void> {
  const client = (await sharedConnection()).getClient();
  for (const [key, name] of used) {
    const names = emptied.get(key);
    if (names && (await empty(client.db(name)))) names.push(name);
    else await client.db(name).dropDatabase();
  }
}

/** False where dropping is better: many documents, or a collection with options, such as a validator. */
async function empty(db: Database): Promise<boolean> {
  const { objects } = await db.stats();
  if (objects > fewDocuments) return false;
  const collections = await db.listCollections<mongoose.mongo.CollectionInfo>().toArray();
  if (collections.some(({ options }) => Object.keys(options ?? {}).length > 0)) return false;
  for (const { name } of collections) await db.collection(name).deleteMany({});
  return true;
}
