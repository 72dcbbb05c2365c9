import type { Connection } from './mongo.ts';

/**
 * Creates every collection and index of the connection's models that is missing; harmless from many processes at once. One after
 * the other: a fresh pool of connections, on a busy machine, is not there for all at once.
 */
export async function prepareModels(connection: Connection): Promise<void> {
  for (const model of Object.values(connection.models)) {
    await model.createCollection();
    await model.createIndexes();
  }
}
