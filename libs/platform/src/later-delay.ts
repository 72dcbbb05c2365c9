/**
 * Longest wait, ms, before what had to wait for something that is away is tried again: added to the time that it takes
 * a killed sibling's work to go on elsewhere, it stays below the 30 s in which everything is to have recovered.
 */
const longestMs = 5_000;

/** Wait before the next try after `tries` that came to nothing (1, 2, …), ms: it doubles, up to the longest. */
export function laterDelayMs(tries: number): number {
  return Math.min(1_000 * 2 ** (tries - 1), longestMs);
}
