import { expect, it } from '@jest/globals';
import { connectDatabase } from '../src/connect-database.ts';
import { startMongo } from '../src/start-mongo.ts';

/** As many as a pool has. */
const connections = 20;
/** Longer than a request waits for a connection. */
const heldMs = 1_300;

it('a look at the database waits for a connection, also where a request would not', async () => {
  const mongo = await startMongo();
  const db = await connectDatabase(mongo.url());
  const watched = db.collection('watched');
  await watched.insertOne({});
  // Each holds a connection while it waits in the server for a change.
  const streams = Array.from({ length: connections }, () => watched.watch([], { maxAwaitTimeMS: heldMs }));
  const waitForChanges = () => Promise.all(streams.map((stream) => stream.tryNext()));
  try {
    await waitForChanges();
    const waiting = waitForChanges();
    expect(await watched.countDocuments()).toBe(1);
    expect(await waiting).toEqual(streams.map(() => null));
  } finally {
    await Promise.all(streams.map((stream) => stream.close()));
    await db.close();
    await mongo.stop();
  }
});
