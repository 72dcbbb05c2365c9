import { type Connection, type Database, idempotencyModel } from '@casewatch/platform/database';
import { createAcknowledgementStore } from './acknowledgements.ts';
import { createCaseStore } from './cases.ts';
import { createImportStore } from './imports.ts';
import { ownCheckModel } from './own-checks.ts';
import { createPartnerStateStore } from './partner-states.ts';
import { createStaffStateStore } from './staff-states.ts';
import { createStatusUpdateStore } from './status-updates.ts';
import { createUserStateStore } from './user-states.ts';

export type Stores = ReturnType<typeof createStores>;

export function createStores(db: Connection) {
  return {
    cases: createCaseStore(db),
    statusUpdates: createStatusUpdateStore(db),
    acknowledgements: createAcknowledgementStore(db),
    imports: createImportStore(db),
    partnerStates: createPartnerStateStore(db),
    staffStates: createStaffStateStore(db),
    userStates: createUserStateStore(db),
  };
}

export const database: Database = {
  createStores: (db) => [createStores(db), idempotencyModel(db), ownCheckModel(db)],
  async prepare(db) {
    const cases = createCaseStore(db);
    await cases.addMissingWords();
    await cases.addMissingDates();
  },
};
