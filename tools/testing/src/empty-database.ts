import type { Database } from '@casewatch/platform';

export const emptyDatabase: Database = { migrations: [] };
