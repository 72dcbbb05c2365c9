import mongoose from 'mongoose';
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
  const driver = model.collection as unknown as mongoose.mongo.Collection<Row>;
  const { matchedCount } = await driver.updateOne(filter, update, { ...options, maxTimeMS: commandMs() });
  return matchedCount === 1;
}

/** An operation of `updateRows`; `update` may be a pipeline. */
export type RowUpdate =
  | { readonly updateOne: { filter: object; update: object; upsert?: boolean } }
  | { readonly updateMany: { filter: object; update: object } };

/** Many updates in one command, in any order, by the driver: mongoose refuses pipelines here. */
export async function updateRows<Row>(
  model: mongoose.Model<Row>,
  updates: readonly RowUpdate[],
  { session, longestMs }: { session?: Session; longestMs?: number } = {},
): Promise<mongoose.mongo.BulkWriteResult> {
  const driver = model.collection as unknown as mongoose.mongo.Collection;
  const options = { ordered: false, maxTimeMS: commandMs(longestMs), ...(session && { session }) };
  return await driver.bulkWrite([...updates] as mongoose.mongo.AnyBulkWriteOperation[], options);
}
