import { type CheckReply, liveCheckDeadlineMs, type RequestData } from '@casewatch/contracts';
import { ApiError, type Bus } from '@casewatch/platform';

/** What is left of the operation's time for storing what comes of it and answering, ms. */
const reserveMs = 700;

type Question = {
  receiptNumber: string;
  /** Whose share of the government's day it costs. */
  caller: RequestData<'monitor.check'>['caller'];
  /** An answer this young may come from the monitor's store. */
  maxAgeSeconds: number;
  /** What has passed of the operation's time, ms. */
  elapsedMs: number;
};

/**
 * A check that a caller waits for (interactive; monitor.md).
 * @throws ApiError uscis_unavailable with Retry-After where the government cannot be asked; rate_limited where the
 *   caller's share is spent
 */
export async function askCheck(bus: Bus, question: Question): Promise<CheckReply> {
  const { receiptNumber, caller, maxAgeSeconds, elapsedMs } = question;
  const data = { receipt_number: receiptNumber, caller, max_age_s: maxAgeSeconds };
  try {
    return await bus.request('monitor.check', data, {
      deadlineMs: liveCheckDeadlineMs - reserveMs - elapsedMs,
    });
  } catch (error) {
    // The monitor's own refusals come through as they are; no answer at all means that nobody could ask.
    const unanswered =
      error instanceof ApiError && error.code === 'service_unavailable' && error.cause !== undefined;
    if (!unanswered) throw error;
    throw new ApiError('uscis_unavailable', { cause: error, detail: 'monitor.check was not answered' });
  }
}
