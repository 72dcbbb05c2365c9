import { once } from 'node:events';
import { createLogger } from '@casewatch/platform';
import { applyMigrations, type Connection } from '@casewatch/platform/database';
import { connectDatabase, type FailingMongo, startFailingMongo, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';

const schema = new mongoose.Schema<{ n: number }>({ n: Number }, { collection: 'things' });
schema.index({ n: 1 }, { name: 'by_n' });
const log = createLogger('cases', 'silent');
const database = {
  migrations: [],
  async prepare(connection: Connection) {
    await connection.model('things', schema).createIndexes();
  },
};

/** Before this, a second replica does not see the build that the first one asked for. */
async function isBuilding({ db }: Connection): Promise<boolean> {
  const answer = await db?.command({ listIndexes: 'things', includeBuildUUIDs: true });
  return answer?.cursor.firstBatch.some((index: object) => 'buildUUID' in index);
}

describe('an index build that takes longer than a command may', () => {
  let mongo: FailingMongo;
  let replicas: Connection[];
  beforeAll(async () => {
    mongo = await startFailingMongo();
    const url = mongo.url('indexes');
    replicas = await Promise.all([connectDatabase(url), connectDatabase(url)]);
    await replicas[0]?.collection('things').insertMany([{ n: 1 }, { n: 2 }]);
  }, 60_000);
  afterAll(async () => {
    await mongo.failPoint('hangAfterSettingUpIndexBuild', 'off');
    await Promise.all(replicas.map((replica) => replica.close()));
    await mongo.stop();
  });

  /** Commands of clients that build or wait for the index. */
  async function commands(): Promise<number> {
    const filter = { 'command.createIndexes': 'things', connectionId: { $exists: true } };
    return (await mongo.command({ currentOp: true, ...filter })).inprog.length;
  }

  it('is waited for by every replica that starts, with the command of the first alone', async () => {
    const [first, second] = replicas as [Connection, Connection];
    await mongo.failPoint('hangAfterSettingUpIndexBuild', 'alwaysOn');
    const lost = once(first.getClient(), 'connectionClosed');
    const starts = [applyMigrations({ connection: first, log, database })];
    await waitFor(() => isBuilding(first), { what: 'the build' });
    expect(await commands()).toBe(1);
    starts.push(applyMigrations({ connection: second, log, database }));
    const started = Promise.all(starts);
    await Promise.race([lost, started]);
    expect(await commands()).toBeLessThanOrEqual(1);
    await mongo.failPoint('hangAfterSettingUpIndexBuild', 'off');
    await started;
    const indexes = await second.collection('things').indexes();
    expect(indexes.map(({ name }) => name)).toContain('by_n');
    expect(await commands()).toBe(0);
  }, 60_000);
});
