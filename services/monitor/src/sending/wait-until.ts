import { pause } from '@casewatch/platform';

/** A timer is late or early by up to this, ms: `spinUntil` waits for the rest at the socket. */
const timerMs = 1;

export async function waitForSlot(atMs: number, signal: AbortSignal): Promise<void> {
  const leftMs = Math.floor(atMs - performance.now() - timerMs);
  if (leftMs > 0) await pause(leftMs, signal);
}

/** Waits without leaving the thread, for a millisecond or two. Returns the present time. */
export function spinUntil(atMs: number): number {
  let nowMs = performance.now();
  while (nowMs < atMs) nowMs = performance.now();
  return nowMs;
}
