import { type Database, idempotencyModel } from '@casewatch/platform/database';
import { ownCheckModel } from './own-checks.ts';
import { createStores } from './stores.ts';

export const database: Database = {
  createStores: (db) => [createStores(db), idempotencyModel(db), ownCheckModel(db)],
};
