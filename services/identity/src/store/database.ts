import { type Database, prepareIdempotency } from '@casewatch/platform';
import { endSessionsBeforeProof } from './end-sessions-before-proof.ts';
import { createStores, prepareStores } from './stores.ts';

/** Identity's database: its collections, and what has changed in them since the first release, in order. */
export const database: Database = {
  migrations: [endSessionsBeforeProof],
  async prepare(db) {
    await prepareStores(createStores(db));
    await prepareIdempotency(db);
  },
};
