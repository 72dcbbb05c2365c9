import { type Database, idempotencyModel } from '@casewatch/platform/database';
import { createRevocationStore } from './revocations.ts';
import { createStores } from './stores.ts';
import { createUserStore } from './users.ts';

export const database: Database = {
  createStores: (db) => [createStores(db), idempotencyModel(db)],
  async prepare(db) {
    await createRevocationStore(db).createHead();
    await createUserStore(db).addMissingWords();
  },
};
