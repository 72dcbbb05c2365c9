import type { Database } from '@casewatch/platform';
import { createStores } from './stores.ts';

/** The notifier's database: its collections, and what has changed in them since the first release, in order. */
export const database: Database = {
  migrations: [],
  createStores,
};
