import type { NotifierConfig } from '../config.ts';

const shortestMs = 5_000;

/**
 * A claim for sending, ms: twice the longest submission (60 s as designed), so that no second sender starts beside one
 * that is still at it. What a killed sender leaves behind goes on after this time.
 */
export function sendLeaseMs(config: NotifierConfig): number {
  return Math.max(2 * config.NOTIFY_SEND_TIMEOUT_MS, shortestMs);
}
