import { setTimeout as delay } from 'node:timers/promises';
import { toApiError } from '../errors.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Connection } from './mongo.ts';

/** How long a database that cannot be reached yet is waited for, ms: in a cluster everything starts at once. */
const patienceMs = 60_000;
const pauseMs = 500;

/** Connects as soon as the database can be reached and knows us. @throws the driver's error after a minute */
export function connectWhenThere(connect: () => Promise<Connection>, log: Logger): Promise<Connection> {
  return untilDone(connect, log, () => true);
}

/**
 * Work at the start that may be done again from its beginning: again while the database does not answer.
 * @throws what it throws for another reason, or after a minute
 */
export function whenThere(work: () => Promise<void>, log: Logger): Promise<void> {
  return untilDone(work, log, (error) => toApiError(error).code === 'service_unavailable');
}

async function untilDone<T>(
  work: () => Promise<T>,
  log: Logger,
  isPassing: (error: unknown) => boolean,
): Promise<T> {
  for (const giveUpAt = performance.now() + patienceMs; ; ) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > giveUpAt || !isPassing(error)) throw error;
      log.warn({ err: error }, 'database not available; trying again');
    }
    await delay(pauseMs);
  }
}
