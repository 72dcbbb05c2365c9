import {
  createApp,
  createHttpServer,
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
    const things = db.model<Thing>('things', schema);
    await things.createCollection();
    const works: Record<string, () => Promise<unknown>> = {
      find: () => things.find().lean(),
      insert: () => things.insertMany([{ _id: ++id }]),
      update: () => things.updateOne({ _id: 0 }, { $set: { _id: 0 } }, { upsert: true }),
      bulkWrite: () =>
        transaction(db, (session) =>
          things.bulkWrite(
            [++id, ++id].map((_id) => ({ updateOne: { filter: { _id }, update: {}, upsert: true } })),
            { session },
          ),
        ),
      commitTransaction: () => transaction(db, (session) => things.insertMany([{ _id: ++id }], { session })),
      'the same key twice': () => things.insertMany([{ _id: id }]),
      'a mistake of ours': () => Promise.reject(new TypeError('x is undefined')),
    };
    const app = createApp({ log, contextOf: () => newContext() }, (routes) => {
      routes.get('/:work', async (req, res) => {
        try {
          await works[decodeURIComponent(req.params.work)]?.();
          res.json({});
        } catch (error) {
          failures.push(error);
          throw error;
        }
      });
    });
    http = await listen(createHttpServer(app), '127.0.0.1', 0);
  });
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

  /** By their names in mongo's error_codes.yml: RetriableError, transactions, interruptions, overload, and a full disk. */
  const passing = {
    HostUnreachable: 6,
    HostNotFound: 7,
    LockTimeout: 24,
    CursorNotFound: 43,
    MaxTimeMSExpired: 50,
    NetworkTimeout: 89,
    ShutdownInProgress: 91,
    WriteConflict: 112,
    FailedToSatisfyReadPreference: 133,
    ReadConcernMajorityNotAvailableYet: 134,
    PrimarySteppedDown: 189,
    NetworkInterfaceExceededTimeLimit: 202,
    ElectionInProgress: 216,
    IncompleteTransactionHistory: 217,
    TransactionTooOld: 225,
    CursorKilled: 237,
    SnapshotTooOld: 239,
    SnapshotUnavailable: 246,
    NoSuchTransaction: 251,
    TransactionCommitted: 256,
    ExceededTimeLimit: 262,
    PreparedTransactionInProgress: 267,
    TransactionCoordinatorReachedAbortDecision: 282,
    TransactionExceededLifetimeLimitSeconds: 290,
    InterruptedDueToStorageChange: 355,
    InternalTransactionNotSupported: 358,
    RetryableTransactionInProgress: 363,
    TemporarilyUnavailable: 365,
    ResourceExhausted: 402,
    PooledConnectionAcquisitionExceededTimeLimit: 407,
    AdmissionQueueOverflow: 433,
    SocketException: 9_001,
    NotWritablePrimary: 10_107,
    InterruptedAtShutdown: 11_600,
    Interrupted: 11_601,
    InterruptedDueToReplStateChange: 11_602,
    NotPrimaryNoSecondaryOk: 13_435,
    NotPrimaryOrSecondary: 13_436,
    OutOfDiskSpace: 14_031,
  };
  /** Each work, and the command of it that fails. Labels are lost, as MongoBulkWriteError loses them. */
  const commands = [
    ['find', 'find'],
    ['insert', 'insert'],
    ['bulkWrite', 'update'],
    ['commitTransaction', 'insert'],
    ['commitTransaction', 'commitTransaction'],
  ] as const;
  describe.each(commands)('to %s', (work, command) => {
    it.each(Object.entries(passing))(`is 503 where ${command} fails with %s`, async (_name, errorCode) => {
      await mongo.failPoint('failCommand', 'alwaysOn', {
        failCommands: [command],
        errorCode,
        errorLabels: [],
      });
      expect(await answerOf(work)).toEqual(unavailable);
    });

    it.each([
      ['BadValue', 2],
      ['ImmutableField', 66],
      ['DocumentValidationFailure', 121],
      ['TransactionTooLarge', 257],
    ])(`is 500 where ${command} fails with %s`, async (_name, errorCode) => {
      await mongo.failPoint('failCommand', 'alwaysOn', {
        failCommands: [command],
        errorCode,
        errorLabels: [],
      });
      expect(await answerOf(work)).toMatchObject({ status: 500, isTransient: [false] });
    });
  });

  /** The driver does not export the first two. All of them are about a member that is away (mongodb, cmap/errors.ts, error.ts). */
  it.each([
    'PoolClearedOnNetworkError',
    'MongoPoolClosedError',
    'MongoServerClosedError',
    'MongoStalePrimaryError',
  ])('is 503 where the driver says %s', (name) => {
    const error = new mongoose.mongo.MongoRuntimeError('away');
    Object.defineProperty(error, 'name', { value: name });
    expect(isTransient(error)).toBe(true);
  });

  it.each(['the same key twice', 'a mistake of ours'])('is 500 where it is %s', async (work) => {
    await answerOf('insert');
    expect(await answerOf(work)).toEqual({ status: 500, retryAfter: null, isTransient: [false] });
  });
});
