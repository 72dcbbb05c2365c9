import { isTransient, pause } from '@casewatch/platform';
import type { NotifierConfig } from '../config.ts';
import type { Context } from '../context.ts';

const retryMs = 500;
const shortestLeaseMs = 5_000;
const neverAborts = new AbortController().signal;

/** Duration of a claim for sending, ms: twice the longest submission, so that two senders never overlap. */
export function sendLeaseMs(config: NotifierConfig): number {
  return Math.max(2 * config.NOTIFY_SEND_TIMEOUT_MS, shortestLeaseMs);
}

/** Time for the questions before a submission, ms. */
const prepareMs = 10_000;

/** Duration of the claim of a recipient, ms: it includes that of the submission. */
export function recipientLeaseMs(config: NotifierConfig): number {
  return sendLeaseMs(config) + prepareMs;
}

/**
 * Stores a provider's answer, and tries again until the claim ends: an accepted message must not look ambiguous because
 * the database was away for a moment.
 * @param claimedAt `performance.now()` before the claim
 */
export async function retryWrite<T>(ctx: Context, claimedAt: number, write: () => Promise<T>): Promise<T> {
  const endsAt = claimedAt + sendLeaseMs(ctx.config);
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isTransient(error) || performance.now() + retryMs > endsAt) throw error;
      ctx.log.warn({ err: error }, 'send result not stored; trying again');
      await pause(retryMs, neverAborts);
    }
  }
}
