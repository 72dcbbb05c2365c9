import type { ErrorCode } from '@casewatch/contracts';
import { ApiError } from '../errors.ts';

/**
 * The answer of another service, or null where it refuses with this code: `orNull(bus.request(…), 'user_not_found')`.
 * @throws every other error, as it is
 */
export async function orNull<T>(answer: Promise<T>, code: ErrorCode): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.code === code) return null;
    throw error;
  }
}
