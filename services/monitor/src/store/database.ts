import type { Database } from '@casewatch/platform';
import { dropSandboxTraffic, giveScheduleClass } from './migrations.ts';
import { createStores } from './stores.ts';

export const database: Database = {
  migrations: [giveScheduleClass, dropSandboxTraffic],
  createStores,
};
