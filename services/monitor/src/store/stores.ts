import { type Base, type Connection, isDuplicateKey, RetryLaterError } from '@casewatch/platform';
import type { Pacing } from '../domain/schedule.ts';
import { createCallerCheckStore } from './caller-checks.ts';
import { createCallerShareStore } from './caller-shares.ts';
import { createCensusStore } from './census.ts';
import { createReceiptStore } from './receipts.ts';
import { createTrafficStore } from './traffic.ts';
import { createUnknownTitleStore } from './unknown-titles.ts';
import { createBudgetStore, type Lanes } from './upstream-budget.ts';
import { createControlStore } from './upstream-control.ts';
import { createWatchStore } from './watches.ts';

/** The collections that the monitor owns. */
export type Stores = ReturnType<typeof createStores>;

/** What the procedures that change receipts and watches work with. */
export type StoreContext = Pick<Base<'monitor'>, 'db' | 'ids' | 'outbox'> & {
  stores: Stores;
  pacing: Pacing;
};

/** As the settings have them where nothing else is said (interface.md §1). */
const defaultLanes: Lanes = { share: 0.15, most: 0.3 };

export function createStores(db: Connection, dailyBudget: number, lanes = defaultLanes) {
  return {
    receipts: createReceiptStore(db),
    census: createCensusStore(db),
    unknownTitles: createUnknownTitleStore(db),
    watches: createWatchStore(db),
    budget: createBudgetStore(db, dailyBudget, lanes),
    control: createControlStore(db),
    traffic: createTrafficStore(db),
    callerShares: createCallerShareStore(db),
    callerChecks: createCallerCheckStore(db),
  };
}

const tries = 20;

/**
 * Reads, decides and writes until nobody else wrote in between; `undefined` from `attempt` means that somebody did.
 * @throws RetryLaterError if that does not end
 */
export async function untilWritten<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let i = 0; i < tries; i++) {
    const result = await attempt().catch((error: unknown) => {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    });
    if (result !== undefined) return result;
  }
  throw new RetryLaterError('a receipt is written by too many at once');
}

/** Thrown inside a transaction to give it up where a row is not as it was read. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}
