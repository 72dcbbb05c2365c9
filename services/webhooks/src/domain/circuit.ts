/** Failures in a row that open the circuit (webhooks.md, Delivery). */
export const opensAt = 10;
const probeEveryMs = 30_000;

export type Health = {
  /** Failed attempts since the last success. */
  failures: number;
  /** On the monotonic clock of this process, ms. */
  lastFailureMs: number | null;
};

/** An open circuit saves the attempts of waiting deliveries. */
export function isOpen(health: Health): boolean {
  return health.failures >= opensAt;
}

/** Time until the next attempt, ms; 0 if the circuit is closed or a probe is due. */
export function circuitWaitMs(health: Health, nowMs: number, scale: number): number {
  if (!isOpen(health) || health.lastFailureMs === null) return 0;
  return Math.max(0, health.lastFailureMs + probeEveryMs * scale - nowMs);
}
