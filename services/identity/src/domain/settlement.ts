/**
 * Requests are settled together at each half second. Each in its own time would leave its work, which does depend on the
 * address, to be felt in the answer to whoever asks next (measured: 3 ms in the median).
 */
export const settleEveryMs = 500;

/** The first half second after `now`. */
export function nextSettlement(now: Date): Date {
  return new Date(Math.ceil((now.getTime() + 1) / settleEveryMs) * settleEveryMs);
}
