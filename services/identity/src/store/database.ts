import { type Database, idempotencyModel } from '@casewatch/platform';
import { endSessionsBeforeProof } from './end-sessions-before-proof.ts';
import { createRevocationStore } from './revocations.ts';
import { createStores } from './stores.ts';

export const database: Database = {
  migrations: [endSessionsBeforeProof],
  createStores: (db) => [createStores(db), idempotencyModel(db)],
  prepare: (db) => createRevocationStore(db).createHead(),
};
