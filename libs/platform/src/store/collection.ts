import mongoose from 'mongoose';
import type { Connection } from './mongo.ts';

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
