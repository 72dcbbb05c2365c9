import mongoose from 'mongoose';
import type { Connection } from './mongo.ts';

/** Drops an index of an earlier release. For `Database.prepare`: the index that replaces it exists by then. */
export async function dropFormerIndex(db: Connection, collection: string, index: string): Promise<void> {
  try {
    await db.collection(collection).dropIndex(index);
  } catch (error) {
    const isGone = error instanceof mongoose.mongo.MongoServerError && error.codeName === 'IndexNotFound';
    if (!isGone) throw error;
  }
}
