import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';

type AnyModel = mongoose.Model<unknown>;

const pollMs = 1_000;

/** Makes `createIndexes` of this connection wait for index builds in progress instead of requesting them again (ADR 0016). */
export function waitForIndexes(connection: mongoose.Connection): void {
  connection.plugin((schema: mongoose.Schema) => {
    schema.static('createIndexes', function () {
      return buildIndexes(this as AnyModel);
    });
  });
}

async function buildIndexes(model: AnyModel): Promise<void> {
  for (;;) {
    while (await isBuilding(model)) await delay(pollMs);
    try {
      return await requestIndexes(model);
    } catch (error) {
      // The command may exceed the socket's time-out; MongoDB continues the build.
      if (!(await isBuilding(model))) throw error;
    }
  }
}

/** All in one command, which creates a missing collection too; mongoose sends a command for each index. */
async function requestIndexes({ schema, collection }: AnyModel): Promise<void> {
  const specs = schema
    .indexes()
    .map(([key, options]) => ({ ...options, key: key as mongoose.mongo.IndexSpecification }));
  if (specs.length > 0) await collection.createIndexes(specs as mongoose.mongo.IndexDescription[]);
}

async function isBuilding({ db, collection }: AnyModel): Promise<boolean> {
  const command = { listIndexes: collection.collectionName, includeBuildUUIDs: true };
  const answer = await db.db?.command(command).catch((error: unknown) => {
    if (error instanceof mongoose.mongo.MongoServerError && error.codeName === 'NamespaceNotFound')
      return null;
    throw error;
  });
  const indexes: readonly object[] = answer?.cursor.firstBatch ?? [];
  return indexes.some((index) => 'buildUUID' in index);
}
