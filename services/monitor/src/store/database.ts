import type { Database } from '@casewatch/platform';
import { giveScheduleClass } from './migrate-schedule-class.ts';
import { createStores } from './stores.ts';

/** The monitor's database: its collections, and what has changed in them since the first release, in order. */
export const database: Database = {
  migrations: [giveScheduleClass],
  async prepare(db) {
    const stores = createStores(db);
    // One after the other: a fresh pool of connections, on a busy machine, is not there for all at once.
    for (const store of Object.values(stores)) await store.prepare();
  },
};
