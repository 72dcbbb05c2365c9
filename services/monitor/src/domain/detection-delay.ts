/** Of the last changes that one sender has seen, seconds. */
export type DetectionDelay = { p50: number; p95: number; changes: number };

const mostDelays = 500;

/** Keeps the delays between the modified date of a new status and its detection. */
export function createDetectionDelays() {
  let delays: number[] = [];
  return {
    add(ms: number): void {
      delays = [...delays, Math.max(0, ms) / 1_000].slice(-mostDelays);
    },
    summary(): DetectionDelay | null {
      const sorted = delays.toSorted((a, b) => a - b);
      const quantile = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
      return sorted.length === 0 ? null : { p50: quantile(0.5), p95: quantile(0.95), changes: sorted.length };
    },
  };
}
