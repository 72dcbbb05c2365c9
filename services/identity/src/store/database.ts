import { type Database, idempotencyModel } from '@casewatch/platform';
import { endSessionsBeforeProof } from './end-sessions-before-proof.ts';
import { createRevocationStore } from './revocations.ts';
import { createStores } from './stores.ts';

/** Identity's database: its collections, and what has changed in them since the first release, in order. */
export const database: Database = {
  migrations: [endSessionsBeforeProof],
  createStores: (db) => [createStores(db), idempotencyModel(db)],
  prepare: (db) => createRevocationStore(db).createHead(),
};
