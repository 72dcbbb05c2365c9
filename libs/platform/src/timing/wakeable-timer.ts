export type WakeableTimer = {
  /** Waits `ms`, or until `wake` or the signal's abort. Returns immediately after a `wake` since the last sleep. True if woken. */
  sleep(ms: number): Promise<boolean>;
  wake(): void;
};

/** For loops that run for weeks: a sleep leaves no listener at `signal`, as `AbortSignal.any` would. */
export function createWakeableTimer(signal: AbortSignal): WakeableTimer {
  let isWoken = false;
  let end = () => {};

  async function wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      end = () => {
        clearTimeout(timer);
        resolve();
      };
      signal.addEventListener('abort', end, { once: true });
    });
    signal.removeEventListener('abort', end);
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
      end();
    },
  };
}
