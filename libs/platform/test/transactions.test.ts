import { type Connection, collection, transaction } from '@casewatch/platform/database';
import { connectDatabase, startMongo, type TestMongo } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

type Counter = { _id: string; value: number };
const _id = 'one';
const counterModel = collection<Counter>('counters', String);

describe('transactions that change the same row', () => {
  let mongo: TestMongo;
  let db: Connection;

  beforeAll(async () => {
    mongo = await startMongo();
    db = await connectDatabase(mongo.url('counters'));
    await counterModel(db).insertMany([{ _id, value: 0 }]);
  });
  afterAll(async () => {
    await db.close();
    await mongo.stop();
  });

  it('run again one after the other', async () => {
    const counters = counterModel(db);
    const count = 12;
    let [reads, runningAgain, most] = [0, 0, 0];
    const allHaveRead = Promise.withResolvers<void>();
    const add = async () => {
      let runs = 0;
      await transaction(db, async (session) => {
        runs += 1;
        if (runs > 1) runningAgain += 1;
        most = Math.max(most, runningAgain);
        try {
          await counters.findById(_id, null, { session }).lean();
          reads += 1;
          if (reads === count) allHaveRead.resolve();
          await allHaveRead.promise;
          await counters.updateOne({ _id }, { $inc: { value: 1 } }, { session });
        } finally {
          if (runs > 1) runningAgain -= 1;
        }
      });
    };
    await Promise.all(Array.from({ length: count }, add));
    expect(await counters.findById(_id).lean()).toEqual({ _id, value: count });
    expect(most).toBe(1);
  });

  it('run again with the work of the others done, and throw what the work throws then', async () => {
    const counters = counterModel(db);
    const before = (await counters.findById(_id).orFail().lean()).value;
    let runs = 0;
    const refused = transaction(db, async (session) => {
      const seen = await counters.findById(_id, null, { session }).orFail().lean<Counter>();
      runs += 1;
      if (runs === 2) throw new Error(`seen ${seen.value - before}`);
      await counters.updateOne({ _id }, { $inc: { value: 1 } });
      await counters.updateOne({ _id }, { $inc: { value: 100 } }, { session });
    });
    await expect(refused).rejects.toThrow('seen 1');
    expect((await counters.findById(_id).orFail().lean()).value).toBe(before + 1);
  });
});
