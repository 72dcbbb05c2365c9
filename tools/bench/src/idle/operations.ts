import { setTimeout as delay } from 'node:timers/promises';
import type mongoose from 'mongoose';

type Client = mongoose.mongo.MongoClient;
type ProfileRow = { ns: string; op: string; command: Record<string, unknown> };

const ownDatabases = ['admin', 'config', 'local'];

/** What each service asks mongod for in a second, by its profiler: `identity.leases findAndModify`. */
export async function profileOperations(client: Client, seconds: number): Promise<[string, number][]> {
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  const dbs = databases.filter(({ name }) => !ownDatabases.includes(name)).map(({ name }) => client.db(name));
  for (const db of dbs) await db.command({ profile: 2 });
  await delay(seconds * 1_000);
  for (const db of dbs) await db.command({ profile: 0 });
  const rows = await Promise.all(
    dbs.map((db) => db.collection<ProfileRow>('system.profile').find().toArray()),
  );
  const named = rows.flat().filter(({ ns }) => !ns.endsWith('.system.profile'));
  const byName = Map.groupBy(named, nameOf);
  return [...byName]
    .map(([name, { length }]): [string, number] => [name, length / seconds])
    .sort(([, a], [, b]) => b - a);
}

/** Without the random part of the name of a test's database. */
function nameOf({ ns, op, command }: ProfileRow): string {
  const collection = ns.replace(/_[0-9a-f]{12}(?=\.)/, '');
  return `${collection} ${op === 'command' ? Object.keys(command)[0] : op}`;
}
