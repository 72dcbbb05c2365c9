import { type Database, prepareIdempotency } from '@casewatch/platform';
import { createStores } from './stores.ts';

/** Webhooks' database: its collections, and what has changed in them since the first release, in order. */
export const database: Database = {
  migrations: [],
  async prepare(db) {
    for (const store of Object.values(createStores(db))) await store.prepare();
    await prepareIdempotency(db);
  },
};
