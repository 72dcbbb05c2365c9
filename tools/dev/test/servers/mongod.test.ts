import { join } from 'node:path';
import { freePort, tempFolder } from '@casewatch/testing';
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

  it('shows its last lines when it cannot start', async () => {
    const folder = await tempFolder();
    const logFile = join(folder.path, 'mongod.log');
    const options = { binary: '/bin/ls', dataDir: folder.path, port: await freePort(), logFile };
    await expect(startMongod(options)).rejects.toThrow(/mongod did not start: it ended.*\n.*ls: /);
    await folder.remove();
  });
});

type Things = ReturnType<InstanceType<typeof mongoose.mongo.Db>['collection']>;

async function withThings<T>(url: string, use: (things: Things) => Promise<T>): Promise<T> {
  const client = await new mongoose.mongo.MongoClient(url).connect();
  try {
    return await use(client.db('kept').collection('things'));
  } finally {
    await client.close();
  }
}
