const minuteMs = 60_000;
const longestHoldMs = 60 * minuteMs;

/** Receipts whose last request failed: they are not asked for in the next 1, 2, 4 … 60 min, times `scale`. */
export function createHolds() {
  const holds = new Map<string, { failures: number; untilMs: number }>();
  return {
    has: (receiptNumber: string) => (holds.get(receiptNumber)?.untilMs ?? 0) > performance.now(),
    end: (receiptNumber: string) => holds.delete(receiptNumber),
    endAll: () => holds.clear(),
    /** Returns the failures in a row. */
    add(receiptNumber: string, scale: number): number {
      const failures = (holds.get(receiptNumber)?.failures ?? 0) + 1;
      const holdMs = Math.min(minuteMs * 2 ** (failures - 1), longestHoldMs) * scale;
      holds.set(receiptNumber, { failures, untilMs: performance.now() + holdMs });
      return failures;
    },
  };
}
