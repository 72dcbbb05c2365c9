import mongoose from 'mongoose';
import { ApiError } from '../errors.ts';
import type { TlsFiles } from '../settings/connection-settings.ts';
import { withDeadline } from '../timing/deadline.ts';
import { waitForIndexes } from './build-indexes.ts';
import { commandMs, limitCommands } from './limit-commands.ts';

export type Connection = mongoose.Connection;
export type Session = mongoose.ClientSession;

/**
 * Connects a service to its own database. Writes are acknowledged by a majority and journaled. Reads see only what a
 * majority has, so no read outside a transaction can be rolled back later (architecture.md §3). Nothing waits for
 * ever (the driver's own defaults do: ../docs/architecture.md, "Defaults that hurt").
 */
export async function connectMongo(url: string, tls: TlsFiles = {}): Promise<Connection> {
  mongoose.set('strictQuery', 'throw');
  const connection = mongoose.createConnection();
  limitCommands(connection);
  waitForIndexes(connection);
  return await connection.openUri(url, {
    ...Object.fromEntries(Object.entries(tls).filter(([, text]) => text !== undefined)),
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    maxPoolSize: 20,
    minPoolSize: 1,
    serverSelectionTimeoutMS: 2_000,
    connectTimeoutMS: 2_000,
    socketTimeoutMS: 10_000,
    waitQueueTimeoutMS: 1_000,
    writeConcern: { w: 'majority', journal: true },
    readPreference: 'primary',
    readConcernLevel: 'majority',
    retryReads: true,
    retryWrites: true,
  });
}

/** Longest time of a transaction that no caller waits for, ms: conflicts, work (transactionLifetimeLimitSeconds) and commit. */
const transactionMs = 12_000;
/**
 * How long a transaction that keeps conflicting is tried again, ms; the driver itself would go on for 120 s. Twenty
 * creations of one user at once take 1 to 2.5 s on two busy cores: each waits longer after each conflict.
 */
const conflictingMs = 5_000;
const commitMs = 5_000;

/**
 * One transaction: snapshot reads, majority writes. The work may run more than once, so it does no I/O but with
 * this session.
 * @throws ApiError service_unavailable where it still conflicts after 5 s: what it decided on may be stale by then, and a
 * process that was killed within a transaction holds its locks until the database gives it up. The same where the
 * caller's time is over: then it may be committed or not
 */
export async function transaction<T>(
  connection: Connection,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const allowedMs = commandMs(transactionMs);
  const giveUpAt = performance.now() + Math.min(conflictingMs, allowedMs);
  const attempt = (session: Session) => {
    if (performance.now() < giveUpAt) return work(session);
    throw new ApiError('service_unavailable', { detail: 'a transaction kept conflicting' });
  };
  const done = connection.withSession((session) =>
    session.withTransaction(async () => await attempt(session), {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority', journal: true },
      readPreference: 'primary',
      maxCommitTimeMS: Math.min(commitMs, allowedMs),
    }),
  );
  // Around the session: in one that has ended, work that still runs would write outside of the transaction.
  return await withDeadline(done, allowedMs, 'a transaction');
}

/** Whether a write failed on a unique index; `index` narrows it to one, by name or key field. */
export function isDuplicateKey(error: unknown, index?: string): boolean {
  if (!(error instanceof mongoose.mongo.MongoServerError) || error.code !== 11_000) return false;
  return index === undefined || error.message.includes(index);
}
