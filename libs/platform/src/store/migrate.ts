import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Logger } from '../telemetry/logger.ts';
import { confirmLease, type HeldLease, holdLease } from './lease.ts';
import { type Connection, transaction } from './mongo.ts';
import { prepareModels } from './prepare-models.ts';

/** One change of what is stored, made once in the life of a database. */
export type Migration = {
  /** `0001-what-it-does`: they run in this order and are recorded under it; it never changes. */
  readonly id: string;
  /**
   * Runs again from its beginning where a process died in it, on an empty database too, and while replicas of the release
   * before still read and write. It stops when the signal aborts: then another process goes on.
   */
  run(db: Connection, signal: AbortSignal): Promise<void>;
};

/** What a service keeps: how an older state becomes today's, and what must be there. */
export type Database = {
  readonly migrations: readonly Migration[];
  /** Opens the service's stores: the collections and indexes of their models are created where they are missing. */
  createStores?(db: Connection): unknown;
  /** Writes the rows that must be there; harmless from many processes at once. */
  prepare?(db: Connection): Promise<void>;
};

type Options = { connection: Connection; log: Logger; database: Database };
type Row = { _id: string; applied_at: Date; ms: number };

const schema = new mongoose.Schema<Row>(
  { _id: String, applied_at: Date, ms: Number },
  { versionKey: false, id: false, collection: 'migrations' },
);

const leaseName = 'migrations';
/** How long a process that dies in a migration keeps the others waiting, ms. */
const leaseMs = 10_000;
const pollMs = 250;

/**
 * Brings a database to what this release needs. Any number of processes may do so at once: one runs the migrations, the
 * others wait for it, or take over.
 * @throws whatever a migration throws; it is not recorded then, and the next start tries it again
 */
export async function applyMigrations({ connection, log, database }: Options): Promise<void> {
  await runPending({ connection, log, database });
  database.createStores?.(connection);
  await prepareModels(connection);
  await database.prepare?.(connection);
}

async function runPending({ connection, log, database }: Options): Promise<void> {
  const records = connection.model<Row>('migrations', schema);
  const pending = async (): Promise<Migration[]> => {
    const applied = new Set(await records.distinct('_id'));
    return database.migrations
      .filter(({ id }) => !applied.has(id))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  };
  if ((await pending()).length === 0) return;

  const outcome = Promise.withResolvers<void>();
  const lease = holdLease({
    connection,
    log,
    name: leaseName,
    ttlMs: leaseMs,
    async whileHeld(held) {
      try {
        for (const migration of await pending()) await apply(migration, { connection, log, held });
        outcome.resolve();
      } catch (error) {
        // Overtaken: what becomes of it is another process's word now.
        if (!held.signal.aborted) outcome.reject(error);
      }
    },
  });
  const watching = new AbortController();
  const watch = async (): Promise<void> => {
    while (!watching.signal.aborted) {
      if ((await pending()).length === 0) return outcome.resolve();
      // Ended by the outcome, which is no failure.
      await delay(pollMs, undefined, { signal: watching.signal }).catch(() => undefined);
    }
  };
  const watched = watch().catch((error: unknown) => outcome.reject(error));
  try {
    await outcome.promise;
  } finally {
    watching.abort();
    await Promise.all([lease.stop(), watched]);
  }
}

/** Runs one and records it, the record only under the lease: whoever was overtaken meanwhile records nothing. */
async function apply(
  { id, run }: Migration,
  { connection, log, held }: { connection: Connection; log: Logger; held: HeldLease },
): Promise<void> {
  const started = performance.now();
  log.info({ migration: id }, 'migration started');
  await run(connection, held.signal);
  held.signal.throwIfAborted();
  const ms = Math.round(performance.now() - started);
  await transaction(connection, async (session) => {
    await confirmLease({ connection, session, name: leaseName, fence: held.fence });
    const records = connection.model<Row>('migrations', schema);
    await records.insertMany([{ _id: id, applied_at: new Date(), ms }], { session });
  });
  log.info({ migration: id, ms }, 'migration done');
}
