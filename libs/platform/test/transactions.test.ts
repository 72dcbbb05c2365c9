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

  it('run again one after the other, so that none but the first of them runs a third time', async () => {
    const counters = counterModel(db);
    const runs = new Array<number>(12).fill(0);
    let reads = 0;
    const allHaveRead = Promise.withResolvers<void>();
    const add = (index: number) =>
      transaction(db, async (session) => {
        runs[index] = (runs[index] ?? 0) + 1;
        await counters.findById(_id, null, { session }).lean();
        reads += 1;
        if (reads === runs.length) allHaveRead.resolve();
        await allHaveRead.promise;
        await counters.updateOne({ _id }, { $inc: { value: 1 } }, { session });
      });
    await Promise.all(runs.map((_, index) => add(index)));
    expect(await counters.findById(_id).lean()).toEqual({ _id, value: runs.length });
    // The first that writes runs once. The first that runs again may find it not yet committed.
    const [once, ...again] = runs.toSorted((one, other) => one - other);
    expect(once).toBe(1);
    expect(new Set(again.slice(0, -1))).toEqual(new Set([2]));
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
