import { alignedMs } from './aligned.ts';
import { pause } from './pause.ts';

export type Running = { stop(): Promise<void> };

/**
 * Repeats the work at each multiple of `ms`; one that passes during a run is left out. A function says the pause after
 * each run. A failed run is reported and does not end the loop.
 */
export function every(
  ms: number | (() => number),
  work: (signal: AbortSignal) => Promise<void>,
  onFailure: (error: unknown) => void,
): Running {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await work(stopping.signal).catch(onFailure);
      await pause(typeof ms === 'number' ? alignedMs(ms) : ms(), stopping.signal);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
