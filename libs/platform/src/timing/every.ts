import { pause } from './pause.ts';
import type { Running } from './running.ts';

/**
 * Works at once and then `ms` after each end of the work, until it is stopped: `signal` aborts then. A failure is told, and ends
 * nothing.
 */
export function every(
  ms: number,
  work: (signal: AbortSignal) => Promise<void>,
  onFailure: (error: unknown) => void,
): Running {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await work(stopping.signal).catch(onFailure);
      await pause(ms, stopping.signal);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
