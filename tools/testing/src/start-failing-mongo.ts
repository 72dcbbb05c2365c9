import { join } from 'node:path';
import { freePort, resolveBinary, startMongod } from '@casewatch/dev/servers';
import mongoose from 'mongoose';
import type { TestMongo } from './start-mongo.ts';
import { tempFolder } from './temp-folder.ts';

type Mode = 'alwaysOn' | 'off' | { times: number };

export type FailingMongo = TestMongo & {
  /** Sets a fail point of mongod: commands fail, hang or are slow as it says. */
  failPoint(name: string, mode: Mode, data?: mongoose.mongo.Document): Promise<void>;
  /** Runs a command of an operator. */
  command(command: mongoose.mongo.Document): Promise<mongoose.mongo.Document>;
};

/** A mongod of a test's own, with test commands. */
export async function startFailingMongo(): Promise<FailingMongo> {
  const folder = await tempFolder();
  const { path: binary } = await resolveBinary('mongod');
  const files = { dataDir: join(folder.path, 'data'), logFile: join(folder.path, 'mongod.log') };
  const moreArgs = ['--setParameter=enableTestCommands=1'];
  const server = await startMongod({ binary, port: await freePort(), cacheGiB: 0.25, moreArgs, ...files });
  const operator = await new mongoose.mongo.MongoClient(server.url).connect();
  const command = (document: mongoose.mongo.Document) => operator.db('admin').command(document);
  return {
    url: (dbName = 'test') => server.url.replace('/?', `/${dbName}?`),
    pid: server.pid,
    command,
    async failPoint(name, mode, data) {
      await command({ configureFailPoint: name, mode, ...(data && { data }) });
    },
    async stop() {
      await operator.close();
      await server.stop();
      await folder.remove();
    },
  };
}
