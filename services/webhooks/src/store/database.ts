import { type Database, dropFormerIndex, idempotencyModel } from '@casewatch/platform/database';
import { createStores } from './stores.ts';

export const database: Database = {
  migrations: [],
  createStores: (db) => [createStores(db), idempotencyModel(db)],
  prepare: (db) => dropFormerIndex(db, 'events', 'of_partner'),
};
