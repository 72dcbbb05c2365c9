import { RetryLaterError } from '@casewatch/platform';
import { isDuplicateKey } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { ConflictError } from '../store/conflict.ts';

export type ChangeContext = Pick<Context, 'db' | 'ids' | 'outbox' | 'stores' | 'signals' | 'scheduleParams'>;

const maxAttempts = 20;

/** Repeats an attempt that throws ConflictError or a duplicate key. @throws RetryLaterError */
export async function retryOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let i = 0; i < maxAttempts; i++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDuplicateKey(error) && !(error instanceof ConflictError)) throw error;
    }
  }
  throw new RetryLaterError('too many concurrent writes to one receipt');
}
