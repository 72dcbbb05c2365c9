import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectDatabase } from '@casewatch/testing';

import type { System } from './system.ts';

/** One place where something could stand: `identity.users`, `stream nats/…/1.blk`, `log identity.log`. */
export type Place = { readonly name: string; readonly text: string };

const databases = ['identity', 'cases', 'monitor', 'notifier', 'webhooks'];

/** All that the running system has written: every collection, the files of every stream, every service's and server's log. */
export async function everythingStored(system: System): Promise<Place[]> {
  const places = [...streamFiles(system), ...logs(system)];
  for (const name of databases) places.push(...(await collectionsOf(system, name)));
  return places;
}

/** From now on the database logs no slow commands: it logs them with their values, and a busy machine makes any command slow. */
export async function logNoSlowCommands(system: System): Promise<void> {
  const connection = await connectDatabase(system.dev().mongodb_url);
  try {
    await connection.db?.admin().command({ profile: 0, slowms: 600_000 });
  } finally {
    await connection.close();
  }
}

async function collectionsOf(system: System, database: string): Promise<Place[]> {
  const address = new URL(system.dev().mongodb_url);
  address.pathname = `/${database}`;
  const connection = await connectDatabase(address.href);
  try {
    const { db } = connection;
    if (!db) throw new Error(`no database ${database}`);
    const places: Place[] = [];
    // One after the other: a busy machine gives out few connections at a time.
    for (const { name } of await db.listCollections().toArray()) {
      const rows = await db.collection(name).find().toArray();
      places.push({ name: `${database}.${name}`, text: JSON.stringify(rows) });
    }
    return places;
  } finally {
    await connection.close();
  }
}

/** JetStream writes messages as they are, neither compressed nor encrypted. */
function streamFiles({ dataDir }: System): Place[] {
  const folder = join(dataDir, 'nats');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.blk'))
    .map((file) => ({ name: `stream ${file}`, text: readFileSync(join(folder, file), 'latin1') }));
}

/** Of the services, the database and the bus: the stand-ins' logs are the outside world's. */
function logs({ dataDir }: System): Place[] {
  const folder = join(dataDir, 'logs');
  return readdirSync(folder)
    .filter((file) => !file.startsWith('sandbox'))
    .map((file) => ({ name: `log ${file}`, text: readFileSync(join(folder, file), 'utf8') }));
}
