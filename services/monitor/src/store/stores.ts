import type { Connection } from '@casewatch/platform';
import { createCallerCheckStore } from './caller-checks.ts';
import { createCallerShareStore } from './caller-shares.ts';
import { createCensusStore } from './census.ts';
import { createReceiptStore } from './receipts.ts';
import { createUnknownTitleStore } from './unknown-titles.ts';
import { createBudgetStore } from './upstream-budget.ts';
import { createControlStore } from './upstream-control.ts';
import { createWatchStore } from './watches.ts';

export type Stores = ReturnType<typeof createStores>;

/** The collections of the monitor, each with its named queries. */
export function createStores(db: Connection) {
  return {
    receipts: createReceiptStore(db),
    census: createCensusStore(db),
    unknownTitles: createUnknownTitleStore(db),
    watches: createWatchStore(db),
    budget: createBudgetStore(db),
    control: createControlStore(db),
    callerShares: createCallerShareStore(db),
    callerChecks: createCallerCheckStore(db),
  };
}
