const least = 2;
const most = 64;
const weight = 0.1;

export function observedLatency(averageMs: number | null, ms: number): number {
  return averageMs === null ? ms : averageMs + weight * (ms - averageMs);
}

/** Parallel attempts that use the rate limit at this latency (webhooks.md, Fast). */
export function concurrencyOf(rateLimit: number, latencyMs: number | null): number {
  return Math.min(most, Math.max(least, Math.ceil((rateLimit * (latencyMs ?? 0)) / 1_000)));
}
