import { join } from 'node:path';
import { type Child, freePort, REPLICA_SET, resolveBinary, spawnMongod } from '@casewatch/dev/servers';
import { until as waitFor } from '@casewatch/driver/until';
import mongoose from 'mongoose';
import { tempFolder } from './temp-folder.ts';

const { MongoClient } = mongoose.mongo;

type Member = { readonly address: string; child: Child; start(): Promise<Child> };

export type ReplicaSet = {
  url(dbName: string): string;
  /** Until `resumeReplication`, no write reaches a majority. */
  stopReplication(): Promise<void>;
  resumeReplication(): Promise<void>;
  /** Kills the primary and resolves when another member is primary; writes without a majority are rolled back. */
  killPrimary(): Promise<void>;
  /** The primary steps down even if no member has its writes; resolves when there is a primary again. */
  stepDownPrimary(): Promise<void>;
  /** Starts killed members again, and resolves when each member is primary or secondary. */
  startKilled(): Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  /** Any member may be primary, and a new one waits at most this long for writes of the former one, ms. */
  catchUpMs?: number;
};

/** Starts the three members and waits for a primary. Member 0 is the first primary. */
export async function startReplicaSet(options: Options = {}): Promise<ReplicaSet> {
  const folder = await tempFolder();
  const { path: binary } = await resolveBinary('mongod');
  const members: Member[] = [];
  for (const name of ['a', 'b', 'c']) {
    const port = await freePort();
    const files = { dataDir: join(folder.path, name), logFile: join(folder.path, `${name}.log`) };
    // Fail points need test commands.
    const moreArgs = ['--setParameter=enableTestCommands=1'];
    const start = () => spawnMongod({ binary, port, cacheGiB: 0.25, moreArgs, ...files });
    members.push({ address: `127.0.0.1:${port}`, start, child: await start() });
  }
  await initiate(members, options);
  const living = () => members.filter(({ child }) => !child.hasExited());

  /** This fail point of MongoDB's own tests stops a member from fetching the primary's oplog. */
  async function setFailPoint(on: readonly Member[], mode: 'alwaysOn' | 'off'): Promise<void> {
    const command = { configureFailPoint: 'stopReplProducer', mode };
    await Promise.all(on.map((member) => onMember(member, command)));
  }

  async function secondaries(): Promise<Member[]> {
    const primary = await findPrimary(living());
    return living().filter((member) => member !== primary);
  }

  return {
    url: (dbName) =>
      `mongodb://${members.map(({ address }) => address).join(',')}/${dbName}?replicaSet=${REPLICA_SET}`,
    stopReplication: async () => setFailPoint(await secondaries(), 'alwaysOn'),
    // On every member: a new primary would stop replicating when it is a secondary again.
    resumeReplication: () => setFailPoint(living(), 'off'),
    async killPrimary() {
      const primary = await findPrimary(living());
      await primary.child.stop(0);
      await findPrimary(living());
    },
    async stepDownPrimary() {
      const primary = await findPrimary(living());
      await onMember(primary, { replSetStepDown: 20, secondaryCatchUpPeriodSecs: 0, force: true });
      await findPrimary(living());
    },
    async startKilled() {
      for (const member of members) if (member.child.hasExited()) member.child = await member.start();
      for (const member of members)
        await waitFor(() => isInSet(member).catch(() => false), {
          timeoutMs: 60_000,
          what: 'a member that is primary or secondary',
        });
    },
    async stop() {
      await Promise.all(members.map(({ child }) => child.stop(0)));
      await folder.remove();
    },
  };
}

async function initiate(members: readonly Member[], { catchUpMs }: Options): Promise<void> {
  const [first] = members;
  if (!first) throw new Error('a replica set has members');
  const isAnyEqual = catchUpMs !== undefined;
  const config = {
    _id: REPLICA_SET,
    members: members.map(({ address }, i) => ({
      _id: i,
      host: address,
      priority: i === 0 && !isAnyEqual ? 2 : 1,
    })),
    settings: {
      electionTimeoutMillis: 2_000,
      heartbeatIntervalMillis: 500,
      ...(isAnyEqual && { catchUpTimeoutMillis: catchUpMs }),
    },
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

async function isInSet(member: Member): Promise<boolean> {
  const { isWritablePrimary, secondary } = await onMember(member, { hello: 1 });
  return isWritablePrimary === true || secondary === true;
}

async function onMember(
  { address }: Member,
  command: mongoose.mongo.Document,
): Promise<mongoose.mongo.Document> {
  const client = new MongoClient(`mongodb://${address}/?directConnection=true`, {
    serverSelectionTimeoutMS: 10_000,
  });
  try {
    return await client.db('admin').command(command);
  } finally {
    await client.close();
  }
}
