import { type Database, idempotencyModel } from '@casewatch/platform';
import { createStores } from './stores.ts';

/** The database of webhooks: its collections, and what has changed in them since the first release, in order. */
export const database: Database = {
  migrations: [],
  createStores: (db) => [createStores(db), idempotencyModel(db)],
};
