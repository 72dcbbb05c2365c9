import type { Database } from '@casewatch/platform';
import { createStores } from './stores.ts';

export const database: Database = { migrations: [], createStores };
