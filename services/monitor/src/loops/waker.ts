import { pause } from '@casewatch/platform';

/** A loop's wait that can be ended early. */
export type Waker = {
  /** Waits `ms`, or less where it is woken, or `signal` aborts. */
  sleep(ms: number): Promise<void>;
  /** Ends the wait of now; a later one is not shortened. */
  wake(): void;
};

/**
 * Made for loops that run for weeks. Neither a race against a promise that stays open through a night nor
 * `AbortSignal.any` will do: both leave something behind at what outlives the wait.
 */
export function createWaker(signal: AbortSignal): Waker {
  let wake: (() => void) | undefined;
  return {
    async sleep(ms) {
      const woken = new AbortController();
      const end = () => woken.abort();
      if (signal.aborted) return;
      signal.addEventListener('abort', end, { once: true });
      wake = end;
      await pause(ms, woken.signal);
      wake = undefined;
      signal.removeEventListener('abort', end);
    },
    wake() {
      wake?.();
    },
  };
}
