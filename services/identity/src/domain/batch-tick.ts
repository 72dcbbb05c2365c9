/**
 * Requests about addresses are processed together at each tick. The work depends on the address; done immediately, it would
 * show in the next answer's time (measured: 3 ms in the median).
 * @param tickMs ADDRESS_BATCH_MS
 */
export const nextBatchTick = (tickMs: number) => (now: Date) =>
  new Date(Math.ceil((now.getTime() + 1) / tickMs) * tickMs);
