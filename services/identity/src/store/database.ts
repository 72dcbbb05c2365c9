import { type Database, prepareIdempotency } from '@casewatch/platform';
import { createStores, prepareStores } from './stores.ts';

/** Identity's database: its collections, and what has changed in them since the first release, in order. */
export const database: Database = {
  migrations: [],
  async prepare(db) {
    await prepareStores(createStores(db));
    await prepareIdempotency(db);
  },
};
