import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';

const { MongoClient } = mongoose.mongo;
type Client = InstanceType<typeof MongoClient>;

const POLL_MS = 50;
const NOT_YET_INITIALIZED = 94;

type Member = {
  /** host:port */
  address: string;
  dataDir: string;
  set: string;
};

/** Makes a server the only member of its replica set, and waits until it is primary. */
export async function becomePrimary(member: Member, signal: AbortSignal): Promise<void> {
  const client = await connect(member, signal);
  try {
    await configure(client, member);
    while (!signal.aborted) {
      const { isWritablePrimary } = await client.db('admin').command({ hello: 1 });
      if (isWritablePrimary === true) return;
      await delay(POLL_MS);
    }
  } finally {
    await client.close();
  }
}

async function connect({ address, dataDir }: Member, signal: AbortSignal): Promise<Client> {
  for (;;) {
    signal.throwIfAborted();
    const client = new MongoClient(`mongodb://${address}/?directConnection=true`, {
      serverSelectionTimeoutMS: 500,
    });
    try {
      await client.connect();
      // Another mongod may have taken the port.
      if ((await dataDirOf(client)) === dataDir) return client;
    } catch {
      // The server does not listen yet; the caller has a deadline.
    }
    await client.close();
    await delay(POLL_MS);
  }
}

async function dataDirOf(client: Client): Promise<unknown> {
  const { parsed } = await client.db('admin').command({ getCmdLineOpts: 1 });
  return parsed.storage.dbPath;
}

async function configure(client: Client, { address, set }: Member): Promise<void> {
  const admin = client.db('admin');
  try {
    const { config } = await admin.command({ replSetGetConfig: 1 });
    if (config.members.length === 1 && config.members[0].host === address) return;
    // The data come from another port: the member would not find itself in the set.
    const members = [{ _id: 0, host: address }];
    const next = { ...config, version: config.version + 1, members };
    await admin.command({ replSetReconfig: next, force: true });
  } catch (err) {
    if ((err as { code?: unknown }).code !== NOT_YET_INITIALIZED) throw err;
    await admin.command({ replSetInitiate: { _id: set, members: [{ _id: 0, host: address }] } });
  }
}
