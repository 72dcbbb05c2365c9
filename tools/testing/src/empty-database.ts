import type { Database } from '@casewatch/platform';

/** For a service without collections. */
export const emptyDatabase: Database = { migrations: [] };
