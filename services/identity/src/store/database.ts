import { type Database, idempotencyModel } from '@casewatch/platform/database';
import { createRevocationStore } from './revocations.ts';
import { createStores } from './stores.ts';

export const database: Database = {
  createStores: (db) => [createStores(db), idempotencyModel(db)],
  prepare: (db) => createRevocationStore(db).createHead(),
};
