/** Shorter intervals are kept as they are, ms. */
const leastMs = 1_000;
/** A timer may end a millisecond early; then the interval after it would be one more. */
const earlyMs = 1;

/**
 * The time until the next multiple of `ms` on the process's clock, at most `ms` and one more. Loops that wait for it wake up
 * together: several reads at one moment cost half of as many reads one by one.
 */
export function alignedMs(ms: number): number {
  if (ms < leastMs) return ms;
  return Math.ceil(ms - ((performance.now() + earlyMs) % ms) + earlyMs);
}
