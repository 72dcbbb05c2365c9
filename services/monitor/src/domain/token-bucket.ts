/** Spreads scheduled checks over the quota day. Times are ms of one clock. */
export function createTokenBucket(size: number, startMs: number) {
  let [checks, atMs, perMs] = [size, startMs, 0];

  /** Adds checks, or takes them. Returns how many there are. */
  function add(change: number, nowMs: number): number {
    const refilled = Math.min(size, checks + Math.max(0, nowMs - atMs) * perMs);
    checks = Math.min(size, refilled + change);
    atMs = nowMs;
    return checks;
  }

  return {
    add,
    /** Spreads the checks that the day has left over its opening time, ms. */
    spread(left: number, openMs: number, nowMs: number): void {
      add(0, nowMs);
      perMs = openMs > 0 ? Math.max(0, left) / openMs : 0;
    },
  };
}
