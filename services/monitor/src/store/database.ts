import type { Database } from '@casewatch/platform';
import { dropSandboxTraffic, giveBucket, giveScheduleClass } from './migrations.ts';
import { createStores } from './stores.ts';

export const database: Database = {
  migrations: [giveScheduleClass, dropSandboxTraffic, giveBucket],
  createStores,
};
