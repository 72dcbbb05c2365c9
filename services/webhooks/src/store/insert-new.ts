import { commandMs } from '@casewatch/platform/database';
import mongoose from 'mongoose';

type Row = { _id: string | number };
type Duplicates = ReadonlyMap<number, string>;

const duplicateKey = 11_000;

/**
 * Inserts rows that are not stored yet, in one command of the driver, because mongoose casts every row.
 * Returns the positions of the others with the name of the index. @throws the error of any other failed row
 */
export async function insertNew<R extends Row>(
  model: mongoose.Model<R>,
  rows: readonly R[],
  longestMs?: number,
): Promise<Duplicates> {
  if (rows.length === 0) return new Map();
  const options = { ordered: false, maxTimeMS: commandMs(longestMs) };
  try {
    await model.collection.insertMany([...rows] as never[], options);
    return new Map();
  } catch (error) {
    return duplicatesOf(error);
  }
}

function duplicatesOf(error: unknown): Duplicates {
  if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) throw error;
  const failures = [error.writeErrors].flat();
  const areDuplicates = failures.every(({ code }) => code === duplicateKey);
  if (failures.length === 0 || !areDuplicates || error.result.getWriteConcernError()) throw error;
  // "E11000 duplicate key error collection: … index: <name> dup key: …"
  const indexOf = (message = '') => / index: (\S+)/.exec(message)?.[1] ?? '';
  return new Map(failures.map(({ index, errmsg }) => [index, indexOf(errmsg)]));
}
