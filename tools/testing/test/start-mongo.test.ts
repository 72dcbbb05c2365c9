import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { startMongo, type TestMongo } from '../src/index.ts';

describe('startMongo', () => {
  let mongo: TestMongo;

  beforeAll(async () => {
    mongo = await startMongo();
  });
  afterAll(() => mongo.stop());

  it('runs transactions: what an aborted one wrote is not there', async () => {
    const client = await new mongoose.mongo.MongoClient(mongo.url()).connect();
    const things = client.db().collection('things');
    await client.withSession((session) =>
      session.withTransaction(() => things.insertOne({ kept: true }, { session })),
    );
    const aborted = client.withSession((session) =>
      session.withTransaction(async () => {
        await things.insertOne({ kept: false }, { session });
        throw new Error('changed my mind');
      }),
    );
    await expect(aborted).rejects.toThrow('changed my mind');
    expect(
      await things
        .find()
        .map(({ kept }) => kept)
        .toArray(),
    ).toEqual([true]);
    await client.close();
  });

  it('gives a new database on each call, and the same one for the same name', () => {
    expect(mongo.url()).not.toBe(mongo.url());
    expect(mongo.url('cases')).toBe(mongo.url('cases'));
    expect(new URL(mongo.url('cases')).pathname).toMatch(/^\/cases_[0-9a-f]{12}$/);
  });

  it.each(['passing', 'cases'])('drops its databases on stop, and no other: %s', async (name) => {
    const passing = await startMongo();
    const kept = mongo.url(name);
    const client = await new mongoose.mongo.MongoClient(kept).connect();
    const databases = [passing.url(name), passing.url(), kept].map((url) => new URL(url).pathname.slice(1));
    for (const database of databases) await client.db(database).collection('things').insertOne({});
    await passing.stop();
    const counts = databases.map((database) => client.db(database).collection('things').countDocuments());
    expect(await Promise.all(counts)).toEqual([0, 0, 1]);
    await client.close();
  });
});
