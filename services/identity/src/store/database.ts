import { type Database, dropFormerIndex, idempotencyModel } from '@casewatch/platform/database';
import { endSessionsBeforeProof } from './end-sessions-before-proof.ts';
import { createRevocationStore } from './revocations.ts';
import { createStores } from './stores.ts';

export const database: Database = {
  migrations: [endSessionsBeforeProof],
  createStores: (db) => [createStores(db), idempotencyModel(db)],
  async prepare(db) {
    await createRevocationStore(db).createHead();
    await dropFormerIndex(db, 'users', 'list');
  },
};
