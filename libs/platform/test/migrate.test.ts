import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createLogger } from '@casewatch/platform';
import { applyMigrations, type Connection, type Migration } from '@casewatch/platform/database';
import { connectDatabase, startMongo, type TestMongo, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

const log = createLogger('cases', 'silent');
const replicas = 6;

let mongo: TestMongo;
let url: string;
let db: Connection;
const open: Connection[] = [];
beforeAll(async () => {
  mongo = await startMongo();
});
beforeEach(async () => {
  url = mongo.url();
  db = await connect();
});
afterAll(async () => {
  await Promise.all(open.map((connection) => connection.close()));
  await mongo.stop();
}, 30_000);

async function connect(): Promise<Connection> {
  const connection = await connectDatabase(url);
  open.push(connection);
  return connection;
}

/** Leaves a row for every time that it runs. */
function counting(id: string): Migration {
  return {
    id,
    async run(connection) {
      await connection.collection('runs').insertOne({ migration: id });
    },
  };
}

async function recorded(): Promise<unknown[]> {
  const rows = await db.collection<{ _id: string }>('migrations').find().sort({ applied_at: 1 }).toArray();
  return rows.map(({ _id }) => _id);
}

const prepare = async (): Promise<void> => undefined;

describe('migrations', () => {
  it('run once each, in the order of their ids, however many replicas start at once', async () => {
    const migrations = [counting('0002-second'), counting('0001-first'), counting('0003-third')];
    const connections = await Promise.all(Array.from({ length: replicas }, connect));
    await Promise.all(
      connections.map((connection) =>
        applyMigrations({ connection, log, database: { migrations, prepare } }),
      ),
    );
    const runs = await db.collection('runs').find().toArray();
    expect(runs.map(({ migration }) => migration)).toEqual(['0001-first', '0002-second', '0003-third']);
    expect(await recorded()).toEqual(['0001-first', '0002-second', '0003-third']);
  }, 60_000);

  it('come before collections and indexes are made, which every start makes sure of', async () => {
    const order: string[] = [];
    const database = {
      migrations: [{ id: '0001-first', run: async () => void order.push('migration') }],
      prepare: async () => void order.push('prepare'),
    };
    await applyMigrations({ connection: db, log, database });
    await applyMigrations({ connection: db, log, database });
    expect(order).toEqual(['migration', 'prepare', 'prepare']);
  }, 60_000);

  it('that fail end the start with their error, and are tried again at the next one', async () => {
    let broken = true;
    const run = async (): Promise<void> => {
      if (broken) throw new Error('an unexpected row');
    };
    const database = { migrations: [counting('0001-first'), { id: '0002-fails', run }], prepare };
    await expect(applyMigrations({ connection: db, log, database })).rejects.toThrow('an unexpected row');
    expect(await recorded()).toEqual(['0001-first']);
    broken = false;
    await applyMigrations({ connection: db, log, database });
    expect(await recorded()).toEqual(['0001-first', '0002-fails']);
    expect(await db.collection('runs').countDocuments()).toBe(1);
  }, 60_000);

  it('are taken over from a process that is killed in one', async () => {
    const child = fork(join(import.meta.dirname, 'support/migrate-and-hang.program.ts'), [url]);
    await waitFor(() => db.collection('runs').countDocuments({ by: 'the killed one' }), {
      timeoutMs: 60_000,
      what: 'the first process in its migration',
    });
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    expect(await recorded()).toEqual([]);
    await applyMigrations({
      connection: db,
      log,
      database: { migrations: [counting('0001-slow')], prepare },
    });
    expect(await recorded()).toEqual(['0001-slow']);
    expect(await db.collection('runs').countDocuments({ migration: '0001-slow' })).toBe(1);
  }, 120_000);

  it('of a process that was overtaken are not recorded by it', async () => {
    const slow: Migration = {
      id: '0001-slow',
      async run(connection) {
        // Frozen for longer than its lease, seen from the database.
        await connection
          .collection<{ _id: string }>('leases')
          .updateOne(
            { _id: 'migrations' },
            { $set: { owner: 'another', until: new Date(Date.now() + 3_000) }, $inc: { fence: 1 } },
          );
        await connection.collection('runs').insertOne({ migration: '0001-slow' });
      },
    };
    await expect(
      applyMigrations({ connection: db, log, database: { migrations: [slow], prepare } }),
    ).rejects.toThrow('another replica holds the lease');
    expect(await recorded()).toEqual([]);
  }, 60_000);
});
