import { isDuplicateKey, RetryLaterError } from '@casewatch/platform';
import type { Context } from '../context.ts';

export type ChangeContext = Pick<Context, 'db' | 'ids' | 'outbox' | 'stores' | 'signals' | 'scheduleParams'>;

const maxAttempts = 20;

/** Repeats an attempt that returns `undefined` or throws ConflictError or a duplicate key. @throws RetryLaterError */
export async function retryOnConflict<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let i = 0; i < maxAttempts; i++) {
    const result = await attempt().catch((error: unknown) => {
      if (isDuplicateKey(error) || error instanceof ConflictError) return undefined;
      throw error;
    });
    if (result !== undefined) return result;
  }
  throw new RetryLaterError('too many concurrent writes to one receipt');
}

/** Ends a transaction whose row changed since it was read. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}
