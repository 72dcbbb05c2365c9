import { pause } from './pause.ts';

/** A loop's wait that can be ended early. */
export type Waker = {
  /**
   * Waits `ms`, or less where it is woken or `signal` aborts. Where it was woken since the last wait ended it does not
   * wait at all: nothing that comes while the loop is busy is missed. True if it was woken.
   */
  sleep(ms: number): Promise<boolean>;
  wake(): void;
};

/**
 * Made for loops that run for weeks. Neither a race against a promise that stays open through a night nor
 * `AbortSignal.any` will do: both leave something behind at what outlives the wait.
 */
export function createWaker(signal: AbortSignal): Waker {
  let isWoken = false;
  let end: (() => void) | undefined;

  async function wait(ms: number): Promise<void> {
    const woken = new AbortController();
    const endNow = () => woken.abort();
    signal.addEventListener('abort', endNow, { once: true });
    end = endNow;
    await pause(ms, woken.signal);
    end = undefined;
    signal.removeEventListener('abort', endNow);
  }

  return {
    async sleep(ms) {
      if (!isWoken && !signal.aborted) await wait(ms);
      const wasWoken = isWoken;
      isWoken = false;
      return wasWoken;
    },
    wake() {
      isWoken = true;
      end?.();
    },
  };
}
