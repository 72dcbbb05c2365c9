import { pause } from './pause.ts';

export type Running = { stop(): Promise<void> };

/** Repeats the work, with a pause of `ms` after each run. A failed run is reported and does not end the loop. */
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
