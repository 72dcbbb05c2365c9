/** A time limit for several pieces of work; only measured work counts. */
export type Stopwatch = {
  readonly leftMs: number;
  measure<T>(work: (leftMs: number) => Promise<T>): Promise<T>;
};

export function createStopwatch(totalMs: number): Stopwatch {
  let leftMs = totalMs;
  return {
    get leftMs() {
      return leftMs;
    },
    async measure(work) {
      const startedMs = performance.now();
      try {
        return await work(Math.max(Math.ceil(leftMs), 1));
      } finally {
        leftMs -= performance.now() - startedMs;
      }
    },
  };
}
