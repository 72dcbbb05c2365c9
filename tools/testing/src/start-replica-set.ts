import { join } from 'node:path';
import { type Child, freePort, REPLICA_SET, resolveBinary, spawnMongod } from '@casewatch/dev/servers';
import mongoose from 'mongoose';
import { tempFolder } from './temp-folder.ts';
import { waitFor } from './wait-for.ts';

const { MongoClient } = mongoose.mongo;

type Member = { readonly address: string; readonly child: Child };

/** Three members of a MongoDB replica set of this test's own. */
export type ReplicaSet = {
  /** Address of a database, with all members. */
  url(dbName: string): string;
  /** While replication is stopped, no write reaches a majority. */
  stopReplication(): Promise<void>;
  resumeReplication(): Promise<void>;
  /** Kills the primary (SIGKILL) and resolves when another member is primary; its writes without a majority are rolled back. */
  killPrimary(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts the three members and waits for a primary. Member 0 is the first primary. */
export async function startReplicaSet(): Promise<ReplicaSet> {
  const folder = await tempFolder();
  const { path: binary } = await resolveBinary('mongod');
  const members: Member[] = [];
  for (const name of ['a', 'b', 'c']) {
    const port = await freePort();
    const files = { dataDir: join(folder.path, name), logFile: join(folder.path, `${name}.log`) };
    // Fail points need test commands.
    const moreArgs = ['--setParameter=enableTestCommands=1'];
    const child = await spawnMongod({ binary, port, cacheGiB: 0.25, moreArgs, ...files });
    members.push({ address: `127.0.0.1:${port}`, child });
  }
  await initiate(members);
  const living = () => members.filter(({ child }) => !child.hasExited());

  async function setFailPoint(mode: 'alwaysOn' | 'off'): Promise<void> {
    const secondaries = await Promise.all(
      living().map(async (member) => ((await isPrimary(member)) ? [] : [member])),
    );
    // Stops a secondary from fetching the primary's oplog (MongoDB's own replication tests use it).
    const command = { configureFailPoint: 'stopReplProducer', mode };
    await Promise.all(secondaries.flat().map((member) => onMember(member, command)));
  }

  return {
    url: (dbName) =>
      `mongodb://${members.map(({ address }) => address).join(',')}/${dbName}?replicaSet=${REPLICA_SET}`,
    stopReplication: () => setFailPoint('alwaysOn'),
    resumeReplication: () => setFailPoint('off'),
    async killPrimary() {
      const primary = await findPrimary(living());
      await primary.child.stop(0);
      await findPrimary(living());
    },
    async stop() {
      await Promise.all(members.map(({ child }) => child.stop(0)));
      await folder.remove();
    },
  };
}

async function initiate(members: readonly Member[]): Promise<void> {
  const [first] = members;
  if (!first) throw new Error('a replica set has members');
  const config = {
    _id: REPLICA_SET,
    members: members.map(({ address }, i) => ({ _id: i, host: address, priority: i === 0 ? 2 : 1 })),
    settings: { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 500 },
  };
  await waitFor(() => onMember(first, { replSetInitiate: config }).then(Boolean, () => false), {
    timeoutMs: 30_000,
    what: 'a member that answers',
  });
  await waitFor(() => isPrimary(first), { timeoutMs: 30_000, what: 'the first primary' });
}

async function findPrimary(members: readonly Member[]): Promise<Member> {
  return await waitFor(
    async () => {
      for (const member of members) if (await isPrimary(member)) return member;
      return undefined;
    },
    { timeoutMs: 30_000, what: 'a primary' },
  );
}

async function isPrimary(member: Member): Promise<boolean> {
  const { isWritablePrimary } = await onMember(member, { hello: 1 });
  return isWritablePrimary === true;
}

async function onMember(
  { address }: Member,
  command: mongoose.mongo.Document,
): Promise<mongoose.mongo.Document> {
  const client = new MongoClient(`mongodb://${address}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
  });
  try {
    return await client.db('admin').command(command);
  } finally {
    await client.close();
  }
}
