import {
  createApp,
  createAppServer,
  createLogger,
  type HttpServer,
  isTransient,
  listen,
  newContext,
} from '@casewatch/platform';
import { type Connection, transaction } from '@casewatch/platform/database';
import { connectDatabase, type FailingMongo, startFailingMongo } from '@casewatch/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';

type Thing = { _id: number };
const schema = new mongoose.Schema<Thing>({ _id: Number }, { versionKey: false, collection: 'things' });

describe('an answer while the database cannot do its part', () => {
  let mongo: FailingMongo;
  let db: Connection;
  let http: HttpServer;
  let id = 0;
  const failures: unknown[] = [];
  beforeAll(async () => {
    mongo = await startFailingMongo();
    db = await connectDatabase(mongo.url('things'));
    const log = createLogger('cases', 'silent');
    const app = createApp();
    const things = db.model<Thing>('things', schema);
    await things.createCollection();
    const works: Record<string, () => Promise<unknown>> = {
      find: () => things.find().lean(),
      insert: () => things.insertMany([{ _id: ++id }]),
      update: () => things.updateOne({ _id: 0 }, { $set: { _id: 0 } }, { upsert: true }),
      commitTransaction: () => transaction(db, (session) => things.insertMany([{ _id: ++id }], { session })),
      'the same key twice': () => things.insertMany([{ _id: id }]),
      'a mistake of ours': () => Promise.reject(new TypeError('x is undefined')),
    };
    app.get('/:work', async (req, res) => {
      try {
        await works[decodeURIComponent(req.params.work)]?.();
        res.json({});
      } catch (error) {
        failures.push(error);
        throw error;
      }
    });
    http = await listen(createAppServer({ log, app, contextOf: () => newContext() }), '127.0.0.1', 0);
  }, 60_000);
  afterEach(async () => {
    failures.length = 0;
    await mongo.failPoint('failCommand', 'off');
  });
  afterAll(async () => {
    await http.stop(100);
    await db.close();
    await mongo.stop();
  });

  const answerOf = async (work: string) => {
    const { status, headers } = await fetch(`http://127.0.0.1:${http.port}/${encodeURIComponent(work)}`);
    return { status, retryAfter: headers.get('retry-after'), isTransient: failures.map(isTransient) };
  };
  const unavailable = { status: 503, retryAfter: '5', isTransient: [true] };

  it.each([
    ['find', 'MaxTimeMSExpired', { errorCode: 50 }],
    ['insert', 'MaxTimeMSExpired', { errorCode: 50 }],
    ['find', 'Unauthorized', { errorCode: 13 }],
    ['update', 'AuthenticationFailed', { errorCode: 18 }],
    ['find', 'InterruptedDueToReplStateChange', { errorCode: 11_602 }],
    ['insert', 'WriteConcernFailed', { writeConcernError: { code: 64, errmsg: 'timed out' } }],
    ['update', 'UnsatisfiableWriteConcern', { writeConcernError: { code: 100, errmsg: 'too few' } }],
    [
      'commitTransaction',
      'MaxTimeMSExpired',
      {
        writeConcernError: { code: 50, errmsg: 'time limit' },
        errorLabels: ['UnknownTransactionCommitResult'],
      },
    ],
  ])('is 503 with Retry-After where %s fails with %s', async (command, _codeName, failure) => {
    await mongo.failPoint('failCommand', { times: 2 }, { failCommands: [command], ...failure });
    expect(await answerOf(command)).toEqual(unavailable);
  });

  it.each(['the same key twice', 'a mistake of ours'])('is 500 where it is %s', async (work) => {
    await answerOf('insert');
    expect(await answerOf(work)).toEqual({ status: 500, retryAfter: null, isTransient: [false] });
  });
});
