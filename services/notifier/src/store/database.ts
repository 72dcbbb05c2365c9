import type { Database } from '@casewatch/platform';
import { createMailStore } from './mails.ts';
import { createNotificationStore } from './notifications.ts';
import { createSuppressionStore } from './suppressions.ts';
import { createTombstoneStore } from './tombstones.ts';

/** The notifier's database: its collections, and what has changed in them since the first release, in order. */
export const database: Database = {
  migrations: [],
  async prepare(db) {
    for (const createStore of [
      createNotificationStore,
      createMailStore,
      createTombstoneStore,
      createSuppressionStore,
    ])
      await createStore(db);
  },
};
