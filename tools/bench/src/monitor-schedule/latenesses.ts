/** How late each receipt's first request was, ms; in steps, so that a million of them cost nothing. */
export type Latenesses = {
  note(index: number, atMs: number): void;
  summary(): { first_requests: number; late_p50_ms: number; late_p99_ms: number; late_max_ms: number };
};

const stepMs = 10;
/** Later than this counts as this. */
const mostMs = 600_000;

/** `due`: when each receipt is due (ms since 1970), by its index. */
export function createLatenesses(due: Float64Array): Latenesses {
  const isSeen = new Uint8Array(due.length);
  const steps = new Uint32Array(mostMs / stepMs + 1);
  let count = 0;
  let maxMs = 0;

  function quantile(share: number): number {
    let left = Math.ceil(count * share);
    for (let step = 0; step < steps.length; step++) {
      left -= steps[step] ?? 0;
      if (left <= 0) return step * stepMs;
    }
    return mostMs;
  }

  return {
    note(index, atMs) {
      const dueMs = due[index];
      if (dueMs === undefined || isSeen[index] === 1) return;
      isSeen[index] = 1;
      const lateMs = Math.max(0, atMs - dueMs);
      count += 1;
      maxMs = Math.max(maxMs, lateMs);
      const step = Math.min(Math.floor(lateMs / stepMs), steps.length - 1);
      steps[step] = (steps[step] ?? 0) + 1;
    },
    summary: () => ({
      first_requests: count,
      late_p50_ms: quantile(0.5),
      late_p99_ms: quantile(0.99),
      late_max_ms: Math.round(maxMs),
    }),
  };
}
