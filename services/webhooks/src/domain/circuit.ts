/** Failures in a row after which an endpoint gets one probe at a time (webhooks.md, Delivery). */
const opensAt = 10;
const probeEveryMs = 30_000;

export type Health = {
  /** Failed attempts since the last success. */
  failures: number;
  /** When the last of them ended, on this process's monotonic clock, ms; null where there was none. */
  lastFailureMs: number | null;
};

/** Whether an endpoint fails so much that waiting events must not use up their attempts. */
export function isOpen(health: Health): boolean {
  return health.failures >= opensAt;
}

/** How long until the next attempt may be made, ms; 0 while the circuit is closed or a probe is due. */
export function circuitWaitMs(health: Health, nowMs: number, scale: number): number {
  if (!isOpen(health) || health.lastFailureMs === null) return 0;
  return Math.max(0, health.lastFailureMs + probeEveryMs * scale - nowMs);
}
