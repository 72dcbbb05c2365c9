import { type Operation, ordinaryDeadlineMs } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { createConcurrencyLimit } from '../domain/concurrency-limit.ts';

/** Requests of one caller that are at services at once (architecture.md §2). */
const atOnce = 8;
/** How many of them may wait for a live check: two remain for its other requests, which take milliseconds. */
const liveChecksAtOnce = 6;
/** Further requests of one caller that wait; they hold their body, so there is an end to it. */
const waiting = 128;

/** What one caller has under way at this gateway. */
export type UnderWay = {
  /**
   * Waits until the caller may have one more request under way; resolves with what ends it.
   * @throws ApiError rate_limited where too many wait already; the signal's reason where it ends the wait
   */
  begin(caller: string, row: Operation, signal: AbortSignal): Promise<() => void>;
};

/**
 * Keeps one caller from taking all connections to a service. A caller with more waits, since most answers take
 * milliseconds. @param scale RATE_LIMIT_SCALE: above 1, callers of a load test may have more
 */
export function createUnderWay(scale: number): UnderWay {
  const times = Math.max(1, scale);
  const all = createConcurrencyLimit({ atOnce: Math.round(atOnce * times), waiting, refuse });
  const liveChecks = createConcurrencyLimit({
    atOnce: Math.round(liveChecksAtOnce * times),
    waiting,
    refuse,
  });
  return {
    async begin(caller, row, signal) {
      if (row.deadlineMs <= ordinaryDeadlineMs) return await all.enter(caller, signal);
      const endLiveCheck = await liveChecks.enter(caller, signal);
      try {
        const end = await all.enter(caller, signal);
        return () => {
          end();
          endLiveCheck();
        };
      } catch (error) {
        endLiveCheck();
        throw error;
      }
    },
  };
}

function refuse(): ApiError {
  return new ApiError('rate_limited', {
    message: 'Too many of your requests wait for an answer; send fewer at once.',
    retryAfterS: 1,
  });
}
