import { isTransient } from '@casewatch/platform';
import { findSurely } from '@casewatch/platform/database';
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
  }, 120_000);
  afterAll(async () => {
    await set.resumeReplication();
    await db.close();
  }, 60_000);

  const things = () => db.model<Thing>('things', schema);
  const find = (id: number) => withTimeLeft(1_500, () => findSurely(things(), { _id: id }));

  it('is never said to be absent: the answer is a temporary failure, and then the row', async () => {
    expect(await find(1)).toBeNull();
    await set.stopReplication();
    await things().collection.insertOne({ _id: 1 as never }, { writeConcern: { w: 1 } });
    expect(await things().findById(1).readConcern('majority').lean()).toBeNull();
    const failure = await find(1).then(String, (error: unknown) => error);
    expect([failure, isTransient(failure)]).toEqual([expect.any(Error), true]);
    await set.resumeReplication();
    await expect(find(1)).resolves.toEqual({ _id: 1 });
  }, 60_000);
});
