import type { Database } from '@casewatch/platform/database';

export const emptyDatabase: Database = {};
