import { type Database, prepareIdempotency } from '@casewatch/platform';
import { createAcknowledgementStore } from './acknowledgements.ts';
import { createCaseStore } from './cases.ts';
import { createStatusUpdateStore } from './status-updates.ts';
import { createUserStateStore } from './user-states.ts';

/** Cases' database: its collections, and what has changed in them since the first release, in order. */
export const database: Database = {
  migrations: [],
  async prepare(db) {
    const create = [
      createCaseStore,
      createStatusUpdateStore,
      createAcknowledgementStore,
      createUserStateStore,
    ];
    for (const createStore of create) await createStore(db).prepare();
    await prepareIdempotency(db);
  },
};
