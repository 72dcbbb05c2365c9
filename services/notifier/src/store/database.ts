import type { Database } from '@casewatch/platform/database';
import { createStores } from './stores.ts';

export const database: Database = { createStores };
