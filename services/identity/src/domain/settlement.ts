/**
 * Requests are settled together at each half second. Each in its own time would leave its work, which does depend on the
 * address, to be felt in the answer to whoever asks next (measured: 3 ms in the median).
 */
export const batchTickMs = 500;

/** The first half second after `now`. */
export function nextBatchTick(now: Date): Date {
  return new Date(Math.ceil((now.getTime() + 1) / batchTickMs) * batchTickMs);
}
