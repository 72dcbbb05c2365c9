import type { Logger } from '../telemetry/logger.ts';
import { pause } from '../timing/pause.ts';
import { collection } from './collection.ts';
import { confirmLease, type HeldLease, holdLease } from './lease.ts';
import { type Connection, transaction } from './mongo.ts';

export type Migration = {
  /** `0001-what-it-does`. Migrations run in this order; the id never changes. */
  readonly id: string;
  /** Repeatable, on an empty database too, and while the previous release runs. Another process continues after an abort. */
  run(db: Connection, signal: AbortSignal): Promise<void>;
};

export type Database = {
  readonly migrations: readonly Migration[];
  /** Opens the stores; missing collections and indexes of their models are then created. */
  createStores?(db: Connection): unknown;
  prepare?(db: Connection): Promise<void>;
};

type Options = { connection: Connection; log: Logger; database: Database };
type Row = { _id: string; applied_at: Date; ms: number };

const migrationRecords = collection<Row>('migrations', String);

const leaseName = 'migrations';
/** How long other processes wait after one dies in a migration, ms. */
const leaseMs = 10_000;
const pollMs = 250;

/** One process runs the migrations; the others wait or take over. @throws the error of a migration */
export async function applyMigrations({ connection, log, database }: Options): Promise<void> {
  await runPending({ connection, log, database });
  database.createStores?.(connection);
  await prepareModels(connection);
  await database.prepare?.(connection);
}

/** Creates missing collections and indexes, one at a time: a new connection pool is too slow for all at once. */
export async function prepareModels(
  connection: Connection,
  models = Object.values(connection.models),
): Promise<void> {
  for (const model of models) {
    if (model.schema.indexes().length > 0) await model.createIndexes();
    else await model.createCollection();
  }
}

/** Creates missing collections, with their indexes. For short commands: what a release adds to the others, its services create. */
export async function prepareMissingModels(connection: Connection): Promise<void> {
  const existing = (await connection.listCollections()).map(({ name }) => name);
  const models = Object.values(connection.models);
  await prepareModels(
    connection,
    models.filter(({ collection }) => !existing.includes(collection.collectionName)),
  );
}

async function runPending({ connection, log, database }: Options): Promise<void> {
  const records = migrationRecords(connection);
  const pending = async (): Promise<Migration[]> => {
    const applied = new Set(await records.distinct('_id'));
    const missing = database.migrations.filter(({ id }) => !applied.has(id));
    return missing.toSorted((left, right) => (left.id < right.id ? -1 : 1));
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
        // Without the lease another process decides the outcome.
        if (!held.signal.aborted) outcome.reject(error);
      }
    },
  });
  const watching = new AbortController();
  const watch = async (): Promise<void> => {
    while (!watching.signal.aborted) {
      if ((await pending()).length === 0) return outcome.resolve();
      await pause(pollMs, watching.signal);
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
    const records = migrationRecords(connection);
    await records.insertMany([{ _id: id, applied_at: new Date(), ms }], { session });
  });
  log.info({ migration: id, ms }, 'migration done');
}
