import type { Connection } from './mongo.ts';

export type Database = {
  /** Opens the stores; missing collections and indexes of their models are then created. */
  createStores?(db: Connection): unknown;
  prepare?(db: Connection): Promise<void>;
};

/**
 * Every start does this (ADR 0016).
 * @throws MongoServerError IndexKeySpecsConflict or IndexOptionsConflict where an index has another definition under its name
 */
export async function prepareDatabase(connection: Connection, database: Database): Promise<void> {
  database.createStores?.(connection);
  await prepareModels(connection);
  await database.prepare?.(connection);
}

/** Creates missing collections and indexes, one at a time: a new connection pool is too slow for all in parallel. */
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
