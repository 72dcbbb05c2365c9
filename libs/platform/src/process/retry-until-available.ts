import { setTimeout as delay } from 'node:timers/promises';
import { toApiError } from '../errors.ts';
import type { Logger } from '../telemetry/logger.ts';
import { watchFirstConnection } from '../telemetry/first-connection.ts';

/** How long to retry while the database is not available, ms. In a cluster everything starts at the same time. */
const availableWithinMs = 60_000;
const retryMs = 500;

/** @throws the error of the work after a minute, or immediately if `isTemporary` is false */
export async function retryUntilAvailable<T>(
  work: () => Promise<T>,
  log: Logger,
  isTemporary = (error: unknown) => toApiError(error).code === 'service_unavailable',
): Promise<T> {
  const database = watchFirstConnection('mongodb', log);
  try {
    for (const giveUpAt = performance.now() + availableWithinMs; ; ) {
      try {
        return await work();
      } catch (error) {
        if (performance.now() > giveUpAt || !isTemporary(error)) throw error;
        database.failed(error);
      }
      await delay(retryMs);
    }
  } finally {
    database.end();
  }
}
