import { setImmediate as nextLoopTurn } from 'node:timers/promises';
import { pause } from '@casewatch/platform';

/** Below this distance between two slots, a timer (1 ms) is too coarse, ms. */
const fineBelowMs = 20;
/** A timer may be late by this, ms; the rest is waited for in turns of the event loop. */
const coarseMs = 2;
/** A close slot is granted so early, ms: the way to the socket takes about half a millisecond, and `spinUntil` waits there. */
const leadMs = 0.8;

/** Waits until a moment of the monotonic clock. A close slot costs a core for its last two milliseconds. */
export async function waitForSlot(atMs: number, spacingMs: number, signal: AbortSignal): Promise<void> {
  const isPrecise = spacingMs < fineBelowMs;
  const untilMs = isPrecise ? atMs - leadMs : atMs;
  for (let leftMs = untilMs - performance.now(); leftMs > 0; leftMs = untilMs - performance.now()) {
    if (signal.aborted) return;
    // A timer alone may end a millisecond early.
    if (!isPrecise) await pause(Math.ceil(leftMs), signal);
    else if (leftMs > coarseMs) await pause(leftMs - coarseMs, signal);
    else await nextLoopTurn();
  }
}

/** Waits for the rest of the time of `waitForSlot` without leaving the thread. Returns the present time. */
export function spinUntil(atMs: number): number {
  let nowMs = performance.now();
  while (nowMs < atMs) nowMs = performance.now();
  return nowMs;
}
