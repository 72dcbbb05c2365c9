import { once } from 'node:events';
import { createLogger } from '@casewatch/platform';
import { type Connection, openDatabase, prepareDatabase } from '@casewatch/platform/database';
import {
  connectDatabase,
  type FailingMongo,
  startFailingMongo,
  startMongo,
  type TestMongo,
  waitFor,
} from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';

const schema = new mongoose.Schema<{ n: number }>({ n: Number }, { collection: 'things' });
schema.index({ n: 1 }, { name: 'by_n' });
const database = {
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
  });
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
    const starts = [prepareDatabase(first, database)];
    await waitFor(() => isBuilding(first), { what: 'the build' });
    expect(await commands()).toBe(1);
    starts.push(prepareDatabase(second, database));
    const started = Promise.all(starts);
    await Promise.race([lost, started]);
    expect(await commands()).toBeLessThanOrEqual(1);
    await mongo.failPoint('hangAfterSettingUpIndexBuild', 'off');
    await started;
    const indexes = await second.collection('things').indexes();
    expect(indexes.map(({ name }) => name)).toContain('by_n');
    expect(await commands()).toBe(0);
  });
});

describe('a start', () => {
  let mongo: TestMongo;
  beforeAll(async () => {
    mongo = await startMongo();
  });
  afterAll(() => mongo.stop());

  type Index = [keys: mongoose.IndexDefinition, options: mongoose.IndexOptions];

  /** A service of two collections starts on this database; `index` is of the first. */
  function start(url: string, [keys, options]: Index): Promise<Connection> {
    return openDatabase({
      service: 'cases',
      settings: { MONGODB_URL: url },
      log: createLogger('cases', 'silent'),
      database: {
        createStores: (db) => {
          const first = new mongoose.Schema<{ n: number }>({ n: Number }, { collection: 'things' });
          first.index(keys, options);
          return [db.model('things', first), db.model('others', schema, 'others')];
        },
      },
    });
  }

  async function indexesOf(connection: Connection): Promise<object[]> {
    return await connection.collection('things').indexes();
  }

  it('changes nothing where all is there, also when two replicas start at the same time', async () => {
    const url = mongo.url();
    const one = await start(url, [{ n: 1 }, { name: 'by_n' }]);
    const before = await indexesOf(one);
    const more = await Promise.all([1, 2].map(() => start(url, [{ n: 1 }, { name: 'by_n' }])));
    expect(await indexesOf(one)).toEqual(before);
    expect(before).toHaveLength(2);
    await Promise.all([one, ...more].map((connection) => connection.close()));
  });

  it('creates an index that is new, with rows there, beside the others', async () => {
    const url = mongo.url();
    const one = await start(url, [{ n: 1 }, { name: 'by_n' }]);
    await one.collection('things').insertMany([{ n: 1 }, { n: 2 }]);
    const later = await start(url, [{ m: 1 }, { name: 'by_m' }]);
    expect(await indexesOf(later)).toMatchObject([{ name: '_id_' }, { name: 'by_n' }, { name: 'by_m' }]);
    await Promise.all([one.close(), later.close()]);
  });

  it.each<[string, Index]>([
    ['other keys', [{ m: 1 }, { name: 'by_n' }]],
    ['another direction', [{ n: -1 }, { name: 'by_n' }]],
    ['another option', [{ n: 1 }, { name: 'by_n', unique: true }]],
    ['another filter', [{ n: 1 }, { name: 'by_n', partialFilterExpression: { n: 1 } }]],
    ['another time to live', [{ n: 1 }, { name: 'by_n', expireAfterSeconds: 60 }]],
  ])(
    'ends with the error of MongoDB and changes no index where one has %s under its name',
    async (_what, changed) => {
      const url = mongo.url();
      const one = await start(url, [{ n: 1 }, { name: 'by_n' }]);
      const before = await indexesOf(one);
      await expect(start(url, changed)).rejects.toMatchObject({
        name: 'MongoServerError',
        codeName: expect.stringMatching(/^Index(KeySpecs|Options)Conflict$/),
      });
      expect(await indexesOf(one)).toEqual(before);
      await one.close();
    },
  );
});
