import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';

type AnyModel = mongoose.Model<unknown>;

const pollMs = 1_000;

/**
 * Has `createIndexes` of a connection's models wait for as long as MongoDB builds. A build that already runs is waited
 * for and not asked for again, so restarts do not leave commands behind that wait too (docs/adr/0016).
 */
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
      // The command outlasted its socket: MongoDB goes on without it.
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
