import { isDuplicateKey, RetryLaterError } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** What the procedures that change receipts and watches work with. */
export type ChangeContext = Pick<Context, 'db' | 'ids' | 'outbox' | 'stores' | 'pacing'>;

const tries = 20;

/**
 * Reads, decides and writes until nobody else wrote in between; `undefined` from `attempt` means that somebody did, and so does
 * a ConflictError.
 * @throws RetryLaterError if that does not end
 */
export async function untilWritten<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let i = 0; i < tries; i++) {
    const result = await attempt().catch((error: unknown) => {
      if (isDuplicateKey(error) || error instanceof ConflictError) return undefined;
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
