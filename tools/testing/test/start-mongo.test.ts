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

  it('empties a database that is named for a service, and gives it to a later test with its indexes', async () => {
    const before = await startMongo();
    const url = before.url('cases');
    const client = await new mongoose.mongo.MongoClient(url).connect();
    const things = client.db().collection('things');
    await things.createIndex({ color: 1 }, { name: 'color' });
    await things.insertOne({ color: 'red' });
    await before.stop();

    const later = await startMongo();
    const another = await startMongo();
    expect(later.url('cases')).toBe(url);
    expect(another.url('cases')).not.toBe(url);
    expect(await things.countDocuments()).toBe(0);
    expect((await things.indexes()).map(({ name }) => name)).toEqual(['_id_', 'color']);
    await client.db().dropDatabase();
    await Promise.all([client.close(), later.stop(), another.stop()]);
  });

  it('drops a database of a service whose collection has options, such as a validator', async () => {
    const before = await startMongo();
    const url = before.url('cases');
    const client = await new mongoose.mongo.MongoClient(url).connect();
    await client.db().createCollection('things', { validator: { color: 'red' } });
    await before.stop();
    expect(await client.db().listCollections().toArray()).toEqual([]);
    await client.close();
  });

  it('drops its other databases on stop', async () => {
    const passing = await startMongo();
    const url = passing.url('passing');
    const client = await new mongoose.mongo.MongoClient(url).connect();
    await client.db().collection('things').insertOne({});
    await passing.stop();
    expect(await client.db().listCollections().toArray()).toEqual([]);
    await client.close();
  });
});
