import { type Database, idempotencyModel } from '@casewatch/platform/database';
import { createStores } from './stores.ts';

export const database: Database = {
  createStores: (db) => [createStores(db), idempotencyModel(db)],
};
