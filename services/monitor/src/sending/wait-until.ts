import { setImmediate as nextTurn } from 'node:timers/promises';
import { pause } from '@casewatch/platform';

/** Below this distance between two slots a timer's millisecond is too coarse, ms. */
const fineBelowMs = 10;
/** A timer may be this much late without harm; what is left is waited for turn by turn of the event loop, ms. */
const coarseMs = 2;

/**
 * Waits until a moment of the monotonic clock, never less: timers alone may end a millisecond early. Where slots stand
 * close, the last two milliseconds are waited for without a timer, which costs a core while there is much to send.
 */
export async function waitUntil(atMs: number, spacingMs: number, signal: AbortSignal): Promise<void> {
  const isFine = spacingMs < fineBelowMs;
  for (let leftMs = atMs - performance.now(); leftMs > 0; leftMs = atMs - performance.now()) {
    if (signal.aborted) return;
    if (!isFine) await pause(Math.ceil(leftMs), signal);
    else if (leftMs > coarseMs) await pause(leftMs - coarseMs, signal);
    else await nextTurn();
  }
}
