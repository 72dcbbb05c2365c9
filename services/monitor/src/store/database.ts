import type { Database } from '@casewatch/platform';
import { dropSandboxTraffic, giveScheduleClass } from './migrations.ts';
import { createStores } from './stores.ts';

/** The monitor's database: its collections, and what has changed in them since the first release, in order. */
export const database: Database = {
  migrations: [giveScheduleClass, dropSandboxTraffic],
  createStores,
};
