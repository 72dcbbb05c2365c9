import { type Database, dropFormerIndex } from '@casewatch/platform/database';
import { createStores } from './stores.ts';

export const database: Database = {
  migrations: [],
  createStores,
  prepare: (db) => dropFormerIndex(db, 'receipts', 'schedule'),
};
