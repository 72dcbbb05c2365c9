import { pause } from './pause.ts';

/** Works at once and then `ms` after each end of the work, until it is stopped. A failure is told, and ends nothing. */
export function every(
  ms: number,
  work: () => Promise<void>,
  onFailure: (error: unknown) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await work().catch(onFailure);
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
