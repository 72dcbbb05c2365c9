import { setImmediate as nextLoopTurn } from 'node:timers/promises';
import { pause } from '@casewatch/platform';

/** Below this distance between two slots, a timer (1 ms) is too coarse, ms. */
const fineBelowMs = 20;
/** A timer may be late by this, ms; the rest is waited for in turns of the event loop. */
const coarseMs = 2;

/** Waits until a moment of the monotonic clock, never less. A close slot costs a core for its last two milliseconds. */
export async function waitForSlot(atMs: number, spacingMs: number, signal: AbortSignal): Promise<void> {
  const isPrecise = spacingMs < fineBelowMs;
  for (let leftMs = atMs - performance.now(); leftMs > 0; leftMs = atMs - performance.now()) {
    if (signal.aborted) return;
    // A timer alone may end a millisecond early.
    if (!isPrecise) await pause(Math.ceil(leftMs), signal);
    else if (leftMs > coarseMs) await pause(leftMs - coarseMs, signal);
    else await nextLoopTurn();
  }
}
