import mongoose from 'mongoose';
import { createBatch } from '../timing/batch.ts';
import { commandMs } from './limit-commands.ts';
import type { Connection, Session } from './mongo.ts';

type Index = mongoose.IndexOptions & { name: string; keys: mongoose.IndexDefinition };

/**
 * A collection of rows that the type `Row` alone describes: mongoose casts only `_id`. Returns the model of a connection;
 * `prepareModels` creates the collection and its indexes.
 */
export function collection<Row extends { _id: number | string | mongoose.Types.ObjectId }>(
  name: string,
  id: NumberConstructor | StringConstructor | typeof mongoose.Types.ObjectId,
  indexes: readonly Index[] = [],
): (db: Connection) => mongoose.Model<Row> {
  const schema = new mongoose.Schema(
    { _id: id },
    {
      collection: name,
      versionKey: false,
      id: false,
      strict: false,
      strictQuery: false,
      minimize: false,
    },
  );
  for (const { keys, ...options } of indexes) schema.index(keys, options);
  return (db) => db.model<Row>(name, schema);
}

type Reading = Pick<mongoose.mongo.FindOptions, 'sort' | 'limit' | 'projection' | 'hint' | 'readConcern'> & {
  session?: Session | null;
};

/** Most rows of the first reply; MongoDB's default is 101, and each other reply is another request. */
const batchSize = 2_000;

/** Rows as they are stored, by the driver: for reads of requests, where mongoose takes longer than the database. */
export async function findRows<Row extends mongoose.mongo.Document, Found = Row>(
  model: mongoose.Model<Row>,
  filter: mongoose.mongo.Filter<Row>,
  { session, ...reading }: Reading = {},
): Promise<Found[]> {
  const options = { batchSize, ...reading, ...(session && { session }), maxTimeMS: commandMs() };
  const cursor = driverOf(model).find(filter, options);
  return (await cursor.toArray()) as unknown as Found[];
}

/** The row with this id, by the driver. */
export async function findRow<Row extends mongoose.mongo.Document & { _id: number | string }>(
  model: mongoose.Model<Row>,
  id: Row['_id'],
  session: Session | null = null,
): Promise<Row | null> {
  const filter = { _id: id } as mongoose.mongo.Filter<Row>;
  if (session === null) return await findSurely(model, filter);
  return (await findRows(model, filter, { session, limit: 1 }))[0] ?? null;
}

/**
 * The row that a filter of one unique index names. What is not found is read again by a member that first proves to be the primary
 * (read concern `linearizable`): after a failover the new primary may, for a moment, not show what its predecessor had acknowledged.
 * So nobody is told that something is not there which is: a session that ended, a key that is wrong, an object that was just made.
 * @throws MaxTimeMSExpired, which is a 503, while no member can prove it
 */
export async function findSurely<Row extends mongoose.mongo.Document>(
  model: mongoose.Model<Row>,
  filter: mongoose.mongo.Filter<Row>,
): Promise<Row | null> {
  const [found] = await findRows(model, filter, { limit: 1 });
  if (found) return found;
  const [sure] = await findRows(model, filter, { limit: 1, readConcern: { level: 'linearizable' } });
  return sure ?? null;
}

/** Longest time that a read of rows by id holds back the next one, ms. */
const holdMs = 20;
const maxIds = 100;

/** Reads rows by id, by the driver. Calls of requests that run at the same time become one command. */
export function createRowReader<Row extends mongoose.mongo.Document & { _id: number | string }>(
  model: mongoose.Model<Row>,
): (id: Row['_id']) => Promise<Row | null> {
  async function readRows(ids: readonly Row['_id'][]): Promise<(Row | null)[]> {
    const byId = (id: Row['_id']) => ({ _id: id }) as mongoose.mongo.Filter<Row>;
    if (ids.length === 1) return [await findSurely(model, byId(ids[0] as Row['_id']))];
    const filter = { _id: { $in: [...new Set(ids)] } } as mongoose.mongo.Filter<Row>;
    const rowOf = new Map<unknown, Row>((await findRows(model, filter)).map((row) => [row._id, row]));
    return await Promise.all(ids.map(async (id) => rowOf.get(id) ?? (await findSurely(model, byId(id)))));
  }
  return createBatch(readRows, { size: maxIds, holdMs });
}

/**
 * Updates one row with the driver; true if a row matched. For rows with nested values: mongoose walks through the whole
 * update once per value.
 */
export async function updateWideRow<Row extends mongoose.mongo.Document>(
  model: mongoose.Model<Row>,
  filter: mongoose.mongo.Filter<Row>,
  update: mongoose.mongo.UpdateFilter<Row>,
  options: { session?: Session } = {},
): Promise<boolean> {
  const { matchedCount } = await driverOf(model).updateOne(filter, update, {
    ...options,
    maxTimeMS: commandMs(),
  });
  return matchedCount === 1;
}

/** An operation of `updateRows`; `update` may be a pipeline. */
export type RowUpdate =
  | { readonly updateOne: { filter: object; update: object; upsert?: boolean } }
  | { readonly updateMany: { filter: object; update: object } };

type UpdateOptions = { session?: Session; longestMs?: number; writeConcern?: { w: 1 } };

/** Many updates in one command, in any order, by the driver: mongoose refuses pipelines here. */
export async function updateRows<Row extends mongoose.mongo.Document>(
  model: mongoose.Model<Row>,
  updates: readonly RowUpdate[],
  { session, longestMs, writeConcern }: UpdateOptions = {},
): Promise<mongoose.mongo.BulkWriteResult> {
  const options = {
    ordered: false,
    maxTimeMS: commandMs(longestMs),
    ...(session && { session }),
    ...(writeConcern && { writeConcern }),
  };
  return await driverOf(model).bulkWrite(
    [...updates] as mongoose.mongo.AnyBulkWriteOperation<Row>[],
    options,
  );
}

/** Inserts rows by the driver, because mongoose casts every row. */
export async function insertRows<Row extends mongoose.mongo.Document>(
  model: mongoose.Model<Row>,
  rows: readonly Row[],
  session: Session,
): Promise<void> {
  const options = { session, maxTimeMS: commandMs() };
  const documents = [...rows] as mongoose.mongo.OptionalUnlessRequiredId<Row>[];
  await driverOf(model).insertMany(documents, options);
}

function driverOf<Row extends mongoose.mongo.Document>(
  model: mongoose.Model<Row>,
): mongoose.mongo.Collection<Row> {
  return model.collection as unknown as mongoose.mongo.Collection<Row>;
}
