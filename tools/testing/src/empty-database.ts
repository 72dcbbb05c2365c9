import type { Database } from '@casewatch/platform';

/** The database of a service that keeps nothing of its own. */
export const emptyDatabase: Database = { migrations: [] };
