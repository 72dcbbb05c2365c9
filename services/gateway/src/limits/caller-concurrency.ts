import { type Operation, ordinaryDeadlineMs } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { createConcurrencyLimit, type Leave, type Wait } from '../domain/concurrency-limit.ts';

/** Concurrent requests of one caller (architecture.md §2). */
const atOnce = 8;
/** Live checks among them: two places remain for requests that take milliseconds. */
const liveChecksAtOnce = 6;
/** Waiting requests of one caller; they hold their body in memory. */
const waiting = 128;

/** Requests of one caller in progress and waiting together. */
export function mostRequests(scale: number): number {
  return Math.round(atOnce * Math.max(1, scale)) + waiting;
}

export type CallerConcurrency = {
  /**
   * Returns or resolves with a function that ends the request.
   * @throws ApiError rate_limited if too many wait, or the request waits too long; the reason of the signal
   */
  enter(caller: string, row: Operation, wait: Wait): Leave | Promise<Leave>;
};

/** Keeps one caller from taking all connections to a service. @param scale RATE_LIMIT_SCALE; values below 1 have no effect */
export function createCallerConcurrency(scale: number): CallerConcurrency {
  const times = Math.max(1, scale);
  const all = createConcurrencyLimit({ atOnce: Math.round(atOnce * times), waiting, refuse: tooManyWaiting });
  const liveChecks = createConcurrencyLimit({
    atOnce: Math.round(liveChecksAtOnce * times),
    waiting,
    refuse: tooManyWaiting,
  });
  async function enterBoth(caller: string, wait: Wait): Promise<Leave> {
    const endLiveCheck = await liveChecks.enter(caller, wait);
    try {
      const end = await all.enter(caller, wait);
      return () => {
        end();
        endLiveCheck();
      };
    } catch (error) {
      endLiveCheck();
      throw error;
    }
  }
  return {
    enter: (caller, { deadlineMs }, wait) =>
      deadlineMs <= ordinaryDeadlineMs ? all.enter(caller, wait) : enterBoth(caller, wait),
  };
}

export function tooManyWaiting(): ApiError {
  return new ApiError('rate_limited', {
    message: 'Too many of your requests are waiting; send fewer at the same time.',
    retryAfterS: 1,
  });
}
