import { ApiError, isTransient } from '@casewatch/platform';
import { findSurely, type Session, transaction } from '@casewatch/platform/database';
import { connectDatabase, type ReplicaSet } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { withTimeLeft } from '../src/timing/time-left.ts';
import { threeMembers } from './support/three-members.ts';

type Thing = { _id: number };
const schema = new mongoose.Schema<Thing>({ _id: Number }, { versionKey: false, collection: 'things' });

/** As after a failover: the primary has a row that its majority reads do not show yet. */
describe('a row that the primary has and does not show', () => {
  let set: ReplicaSet;
  let db: mongoose.Connection;
  beforeAll(async () => {
    set = await threeMembers();
    db = await connectDatabase(set.url('absent'));
    await things().createCollection();
  });
  afterAll(async () => {
    await set.resumeReplication();
    await db.close();
  });

  const things = () => db.model<Thing>('things', schema);
  /** While no member follows the primary, and once they do again: then however slow the machine is. */
  const shortMs = 1_500;
  const longMs = 20_000;
  const find = (id: number, ms: number) => withTimeLeft(ms, () => findSurely(things(), { _id: id }));

  it('is never said to be absent: the answer is a temporary failure, and then the row', async () => {
    expect(await find(1, longMs)).toBeNull();
    await set.stopReplication();
    await things().collection.insertOne({ _id: 1 as never }, { writeConcern: { w: 1 } });
    expect(await things().findById(1).readConcern('majority').lean()).toBeNull();
    const failure = await find(1, shortMs).then(String, (error: unknown) => error);
    expect([failure, isTransient(failure)]).toEqual([expect.any(Error), true]);
    await set.resumeReplication();
    await expect(find(1, longMs)).resolves.toEqual({ _id: 1 });
  });

  const deleteIt = (id: number) => async (session: Session) => {
    const { deletedCount } = await things().deleteOne({ _id: id }, { session });
    if (deletedCount === 0) throw new ApiError('case_not_found');
  };
  const addIt = (id: number) => async (session: Session) =>
    void (await things().insertMany([{ _id: id }], { session }));
  const isDone = { status: 404, code: 'case_not_found' };
  const isDuplicate = { code: 11_000 };

  it.each([
    [
      'is gone',
      deleteIt,
      () => things().collection.deleteOne({ _id: 2 as never }, { writeConcern: { w: 1 } }),
      isDone,
    ],
    [
      'is there',
      addIt,
      () => things().collection.insertOne({ _id: 3 as never }, { writeConcern: { w: 1 } }),
      isDuplicate,
    ],
  ])(
    'is no reason for a refusal: that it %s is said once it is so for good',
    async (_, work, change, refusal) => {
      const id = work === deleteIt ? 2 : 3;
      if (work === deleteIt) await things().create({ _id: id });
      const run = (ms: number) => withTimeLeft(ms, () => transaction(db, work(id)));
      await set.stopReplication();
      await change();
      // Nobody else sees it yet, and a failover would take it back.
      expect(await things().countDocuments({ _id: id }).readConcern('majority')).toBe(
        work === deleteIt ? 1 : 0,
      );
      const failure = await run(shortMs).then(String, (error: unknown) => error);
      expect([failure, isTransient(failure)]).toEqual([expect.any(Error), true]);
      await set.resumeReplication();
      await expect(run(longMs)).rejects.toMatchObject(refusal);
    },
  );
});
