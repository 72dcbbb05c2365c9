/** A time that several waits share; only what is measured is spent. */
export type Stopwatch = {
  readonly leftMs: number;
  /** Runs the work and takes from the time what it took. */
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
