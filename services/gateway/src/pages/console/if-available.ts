import { ApiError } from '@casewatch/platform';

/** Null while the service that answers is away: the page shows the rest. */
export async function ifAvailable<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'service_unavailable') return null;
    throw error;
  }
}
