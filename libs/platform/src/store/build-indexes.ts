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
      return await mongoose.Model.createIndexes.call(model);
    } catch (error) {
      // The command may exceed the socket's time-out; MongoDB continues the build.
      if (!(await isBuilding(model))) throw error;
    }
  }
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
