import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { freePort, tempFolder, waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { resolveBinary, startMongod } from '../../src/servers/index.ts';

describe('startMongod', () => {
  it('keeps its data when it comes back on another port', async () => {
    const [{ path: binary }, folder] = await Promise.all([resolveBinary('mongod'), tempFolder()]);
    const files = { binary, dataDir: join(folder.path, 'data'), logFile: join(folder.path, 'mongod.log') };
    const first = await startMongod({ ...files, port: await freePort() });
    await withThings(first.url, (things) => things.insertOne({ name: 'kept' }));
    await first.stop();

    const second = await startMongod({ ...files, port: await freePort() });
    expect(second.url).not.toBe(first.url);
    expect(await withThings(second.url, (things) => things.countDocuments({ name: 'kept' }))).toBe(1);
    await second.stop();
    await folder.remove();
  });

  it('does not log what slow queries and transactions search for', async () => {
    const [{ path: binary }, folder] = await Promise.all([resolveBinary('mongod'), tempFolder()]);
    const logFile = join(folder.path, 'mongod.log');
    const server = await startMongod({
      binary,
      dataDir: join(folder.path, 'data'),
      logFile,
      port: await freePort(),
    });
    const client = await new mongoose.mongo.MongoClient(server.url).connect();
    const things = client.db('slow').collection('things');
    await things.insertOne({ email: 'mallory@attacker.example' });
    // 300 ms is slow: MongoDB logs what takes longer than 100 ms, with the filter.
    const slow = { email: 'mallory@attacker.example', $where: 'sleep(300) || true' };
    expect(await things.find(slow).toArray()).toHaveLength(1);
    await things.updateOne(slow, { $set: { seen: true } });
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await things.findOne({ email: 'mallory@attacker.example' }, { session });
        await things.aggregate([{ $match: { seen: true } }, { $limit: 1 }, sleeping], { session }).toArray();
      }),
    );
    await client.close();
    await server.stop();
    const log = await readFile(logFile, 'utf8');
    expect(log).toContain('"c":"NETWORK"');
    expect(log.split('\n').filter((line) => line.includes('mallory'))).toEqual([]);
    await folder.remove();
  });

  it('shows its last lines when it cannot start', async () => {
    const folder = await tempFolder();
    const logFile = join(folder.path, 'mongod.log');
    const options = { binary: '/bin/ls', dataDir: folder.path, port: await freePort(), logFile };
    await expect(startMongod(options)).rejects.toThrow(/mongod did not start: it ended.*\n.*ls: /);
    await folder.remove();
  });

  it('says that another process has taken its port', async () => {
    const [{ path: binary }, folder] = await Promise.all([resolveBinary('mongod'), tempFolder()]);
    const other = createServer((socket) => socket.destroy())
      .listen(0, '127.0.0.1')
      .unref();
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const files = { dataDir: join(folder.path, 'data'), logFile: join(folder.path, 'mongod.log') };
    await expect(startMongod({ binary, port, ...files })).rejects.toThrow(/address already in use/);
    other.close();
    await folder.remove();
  });

  it('says so too if the other process takes it during the start', async () => {
    const { path: binary } = await resolveBinary('mongod');
    await waitFor(() => takesPortDuringStart(binary), { timeoutMs: 60_000, what: 'a port taken in time' });
  });
});

/**
 * mongod binds its port at once and listens on it 0.2 s later: in between another process can do both. False if mongod was
 * faster, on a busy machine.
 */
async function takesPortDuringStart(binary: string): Promise<boolean> {
  const [port, folder] = [await freePort(), await tempFolder()];
  const logFile = join(folder.path, 'mongod.log');
  const starting = startMongod({ binary, port, dataDir: join(folder.path, 'data'), logFile });
  const ending = starting.then(({ stop }) => stop(0));
  ending.catch(() => undefined);
  const log = () => readFile(logFile, 'utf8').catch(() => '');
  await waitFor(async () => (await log()).includes('Opening WiredTiger'), { what: 'the start' });
  const other = createServer().listen(port, '127.0.0.1');
  const isTaken = await once(other, 'listening').then(
    () => true,
    () => false,
  );
  if (isTaken) await expect(starting).rejects.toThrow(/address already in use/);
  else await ending;
  other.close();
  await folder.remove();
  return isTaken;
}

/** A stage that takes 300 ms for each document. */
const sleeping = {
  $addFields: { slept: { $function: { body: 'function () { return sleep(300); }', args: [], lang: 'js' } } },
};

type Things = ReturnType<InstanceType<typeof mongoose.mongo.Db>['collection']>;

async function withThings<T>(url: string, use: (things: Things) => Promise<T>): Promise<T> {
  const client = await new mongoose.mongo.MongoClient(url).connect();
  try {
    return await use(client.db('kept').collection('things'));
  } finally {
    await client.close();
  }
}
