import type { connectNats } from '@casewatch/platform';
import { connectDatabase, waitFor } from '@casewatch/testing';
import type { startSystemInProcess } from './system-in-process.ts';

type Running = Awaited<ReturnType<typeof startSystemInProcess>>;
type Nats = Awaited<ReturnType<typeof connectNats>>;

/** A document of a collection, or a message of a stream: `identity.users`, `stream IDENTITY`. */
export type Entry = { readonly place: string; readonly text: string };

const ofMongoItself = ['admin', 'config', 'local'];

/**
 * All documents of every collection of every database, and all messages of every stream. MongoDB and NATS say which there are: a
 * collection that our own lists forget is read, too.
 */
export async function ledgerOf({ mongo }: Running, nats: Nats): Promise<Entry[]> {
  return [...(await documentsOf(mongo)), ...(await messagesOf(nats))];
}

/** Tests share a server, and give each database a name of its own: `identity_0f3a…`. Those of other tests are read, too. */
async function documentsOf({ url }: Running['mongo']): Promise<Entry[]> {
  const connection = await connectDatabase(url('none'));
  const entries: Entry[] = [];
  try {
    const client = connection.getClient();
    const { databases } = await client.db('admin').admin().listDatabases();
    for (const { name } of databases.filter((each) => !ofMongoItself.includes(each.name))) {
      const db = client.db(name);
      for (const { name: collection } of await db.listCollections().toArray())
        for (const row of await db.collection(collection).find().toArray())
          entries.push({
            place: `${name.replace(/_[0-9a-f]{12}$/, '')}.${collection}`,
            text: JSON.stringify(row),
          });
    }
  } finally {
    await connection.close();
  }
  return entries;
}

type Stored = { message?: { data?: string; subject: string } };
type StreamInfo = { state: { first_seq: number; last_seq: number } };
type Consumers = { consumers?: { num_pending: number; num_ack_pending: number }[] };

async function ask<T>(nats: Nats, subject: string, body: object = {}): Promise<T> {
  return (await nats.request(`$JS.API.${subject}`, JSON.stringify(body))).json<T>();
}

const streamsOf = async (nats: Nats) =>
  (await ask<{ streams?: string[] }>(nats, 'STREAM.NAMES')).streams ?? [];

async function messagesOf(nats: Nats): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const stream of await streamsOf(nats)) {
    const { state } = await ask<StreamInfo>(nats, `STREAM.INFO.${stream}`);
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const { message } = await ask<Stored>(nats, `STREAM.MSG.GET.${stream}`, { seq });
      const data = Buffer.from(message?.data ?? '', 'base64').toString();
      if (message) entries.push({ place: `stream ${stream}`, text: `${message.subject} ${data}` });
    }
  }
  return entries;
}

/** Waits until every consumer of every stream has handled everything. */
export async function allHandled(nats: Nats): Promise<void> {
  await waitFor(
    async () => {
      for (const name of await streamsOf(nats))
        for (const { num_pending, num_ack_pending } of (await ask<Consumers>(nats, `CONSUMER.LIST.${name}`))
          .consumers ?? [])
          if (num_pending + num_ack_pending > 0) return false;
      return true;
    },
    { what: 'the end of all events', timeoutMs: 60_000 },
  );
}

/** The places with an entry that has one of the words; each once. */
export function placesWith(entries: readonly Entry[], words: readonly string[]): string[] {
  const having = entries.filter(({ text }) => words.some((word) => text.includes(word)));
  return [...new Set(having.map(({ place }) => place))].sort();
}

/** The same for ids: numbers that stand alone. */
export function placesWithId(entries: readonly Entry[], id: number): string[] {
  const alone = new RegExp(`(?<![\\d.])${id}(?!\\d)`);
  return [...new Set(entries.filter(({ text }) => alone.test(text)).map(({ place }) => place))].sort();
}
