import { type Base, type Connection, isDuplicateKey, LaterError } from '@casewatch/platform';
import type { Pacing } from '../domain/schedule.ts';
import { createReceiptStore } from './receipts.ts';
import { createBudgetStore } from './upstream-budget.ts';
import { createWatchStore } from './watches.ts';

/** The collections that the monitor owns. */
export type Stores = ReturnType<typeof createStores>;

/** What the procedures that change receipts and watches work with. */
export type StoreContext = Pick<Base<'monitor'>, 'db' | 'ids' | 'outbox'> & {
  stores: Stores;
  pacing: Pacing;
};

export function createStores(db: Connection, dailyBudget: number) {
  return {
    receipts: createReceiptStore(db),
    watches: createWatchStore(db),
    budget: createBudgetStore(db, dailyBudget),
  };
}

const tries = 20;

/**
 * Reads, decides and writes until nobody else wrote in between; `undefined` from `attempt` means that somebody did.
 * @throws LaterError if that does not end
 */
export async function untilWritten<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let i = 0; i < tries; i++) {
    const result = await attempt().catch((error: unknown) => {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    });
    if (result !== undefined) return result;
  }
  throw new LaterError('a receipt is written by too many at once');
}

/** Thrown inside a transaction to give it up where a row is not as it was read. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}
