import { pause } from './pause.ts';

export type Running = { stop(): Promise<void> };

/**
 * Repeats the work every `ms`; ticks that fall during a run are skipped. A function chooses the pause after each run. A failed
 * run is reported and does not end the loop.
 */
export function every(
  ms: number | (() => number),
  work: (signal: AbortSignal) => Promise<void>,
  onFailure: (error: unknown) => void,
): Running {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      await work(stopping.signal).catch(onFailure);
      const pauseMs = typeof ms === 'number' ? ms - ((performance.now() - startedAt) % ms) : ms();
      await pause(pauseMs, stopping.signal);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
