import { type Database, idempotencyModel } from '@casewatch/platform';
import { createStores } from './stores.ts';

export const database: Database = {
  migrations: [],
  createStores: (db) => [createStores(db), idempotencyModel(db)],
};
