import type { Database } from '@casewatch/platform/database';
import { dropSandboxTraffic, giveBucket } from './migrations.ts';
import { createStores } from './stores.ts';

export const database: Database = {
  migrations: [dropSandboxTraffic, giveBucket],
  createStores,
};
