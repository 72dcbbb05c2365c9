import mongoose from 'mongoose';
import { ApiError, isTransient } from '../errors.ts';
import { ConfigError } from '../settings/config.ts';
import type { TlsFiles } from '../settings/connection-settings.ts';
import { withoutSecrets } from '../telemetry/secrets.ts';
import { withDeadline } from '../timing/deadline.ts';
import { createKeyedMutex } from '../timing/keyed-mutex.ts';
import { waitForIndexes } from './build-indexes.ts';
import { commandMs, limitCommands } from './limit-commands.ts';
import { currentStep } from './transaction-step.ts';

export type Connection = mongoose.Connection;
export type Session = mongoose.ClientSession;

/** A pool of connections to MongoDB. */
export type Pool = {
  /** Most connections at the same time. */
  size: number;
  /** Longest wait for one of them, ms. */
  waitMs: number;
  /** mongod shows it for each connection, unless the address has an `appName`. */
  name?: string;
};

/** For callers that wait: an answer must still be possible after the wait. */
const requestPool: Pool = { size: 20, waitMs: 1_000 };

type Options = { monitorCommands?: boolean; pool?: Pool };

/** Majority reads and writes survive a failover (architecture.md §3). Every wait has a limit (docs/architecture.md, "Time-outs"). */
export async function connectMongo(
  url: string,
  tls: TlsFiles = {},
  { monitorCommands = false, pool: { size, waitMs, name } = requestPool }: Options = {},
): Promise<Connection> {
  const connection = mongoose.createConnection();
  limitCommands(connection);
  waitForIndexes(connection);
  Object.assign(connection.config, { autoIndex: false, autoCreate: false, bufferCommands: false });
  const client = clientOf(url, {
    ...tls,
    monitorCommands,
    ...(name && !/[?&]appName=/i.test(url) && { appName: name }),
    maxPoolSize: size,
    minPoolSize: 1,
    serverSelectionTimeoutMS: 2_000,
    connectTimeoutMS: 2_000,
    socketTimeoutMS: 10_000,
    waitQueueTimeoutMS: waitMs,
    writeConcern: { w: 'majority', journal: true },
    readPreference: 'primary',
    readConcernLevel: 'majority',
    retryReads: true,
    retryWrites: true,
    // Drivers wrote every text, and they write only valid UTF-8. The check reads each character again.
    enableUtf8Validation: false,
  });
  return connection.setClient(await client.connect());
}

/** @throws ConfigError if the driver does not accept the address or its options */
function clientOf(url: string, options: mongoose.mongo.MongoClientOptions): mongoose.mongo.MongoClient {
  try {
    return new mongoose.mongo.MongoClient(url, options);
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError(withoutSecrets(`These settings are missing or wrong:\n  MONGODB_URL: ${message}`));
  }
}

/** Longest time of a transaction without a waiting caller, ms, with its conflicts and its commit. */
const transactionMs = 12_000;
/** How long conflicts are retried, ms; the driver's own limit is 120 s. */
const conflictingMs = 5_000;
const commitMs = 5_000;

/** Transactions that conflicted run again one after the other, for each connection. */
const inTurn = createKeyedMutex<Connection>();
const conflict = new Error('a transaction conflicted');

/**
 * Runs a transaction with snapshot reads. The work may run more than once: its only I/O is with this session. A second
 * run waits for its turn among the transactions of this connection that conflicted: in parallel they would conflict again.
 * A refusal is thrown on once what it was decided by is on a majority.
 * @throws ApiError service_unavailable after 5 s of conflicts, or after the caller's time; then it may be committed or not
 */
export async function transaction<T>(
  connection: Connection,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const allowedMs = commandMs(transactionMs);
  const giveUpAt = performance.now() + Math.min(conflictingMs, allowedMs);
  const step = currentStep();
  const workWithStep = async (session: Session) => {
    step?.begin();
    const result = await work(session);
    await step?.end(session);
    return result;
  };
  const run = (attempt: (session: Session) => Promise<T>) =>
    connection.withSession((session) =>
      session.withTransaction(attempt, {
        readConcern: { level: 'snapshot' },
        writeConcern: { w: 'majority', journal: true },
        readPreference: 'primary',
        maxCommitTimeMS: Math.min(commitMs, allowedMs),
      }),
    );
  const untilDone = async (session: Session) => {
    if (performance.now() < giveUpAt) return await workWithStep(session);
    throw new ApiError('service_unavailable', { detail: 'a transaction kept conflicting' });
  };
  let hasRun = false;
  const once = async (session: Session) => {
    if (hasRun) throw conflict;
    hasRun = true;
    return await workWithStep(session);
  };
  const done = run(once)
    .catch((error: unknown) => {
      if (error !== conflict) throw error;
      return inTurn(connection, () => run(untilDone));
    })
    .catch(async (error: unknown) => {
      if (isRefusal(error)) await proveWhatWasRead(connection);
      throw error;
    });
  // The deadline does not end the session: work in progress would then write outside the transaction.
  return await withDeadline(done, allowedMs, 'a transaction');
}

/** An answer that the caller gets because of what the transaction read. MongoDB itself waits so before it says that a key is taken. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && !isTransient(error);
}

/**
 * What a transaction read may still be taken back by a failover: only its commit waits until that is on a majority. A refused one
 * has no commit; without this wait, a case could be "not found" because of a deletion that is not done yet, and be there in the next read.
 * A linearizable read, of any row, waits in the same way.
 * @throws MaxTimeMSExpired, which is a 503, while no member can prove it
 */
async function proveWhatWasRead(connection: Connection): Promise<void> {
  const reading = { readConcern: { level: 'linearizable' as const }, maxTimeMS: commandMs() };
  await connection.db?.collection<{ _id: string }>('leases').findOne({ _id: '' }, reading);
}

/** Repeats an upsert once if another process inserts the same row at the same moment. */
export async function retryOnDuplicate<T>(upsert: () => PromiseLike<T>): Promise<T> {
  try {
    return await upsert();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return await upsert();
  }
}

/** Whether a write violates a unique index. `index`: only this index, by its name or key field. */
export function isDuplicateKey(error: unknown, index?: string): boolean {
  if (!(error instanceof mongoose.mongo.MongoServerError) || error.code !== 11_000) return false;
  return index === undefined || error.message.includes(index);
}
