import { type CheckReply, liveCheckDeadlineMs } from '@casewatch/contracts';
import { ApiError, type Bus } from '@casewatch/platform';

/** An answer this young is taken from the monitor's store: two cases made at once cost one check. Seconds. */
const freshForSeconds = 60;

/** What is left of the operation's time for storing the case and answering, ms. */
const reserveMs = 700;

type Question = { receiptNumber: string; partnerId: number; userId: number; elapsedMs: number };

/**
 * The first check of a case that is about to be made (interactive; monitor.md).
 * @throws ApiError uscis_unavailable with Retry-After where the government cannot be asked; rate_limited where the
 *   caller's share is spent
 */
export async function askFirstCheck(bus: Bus, question: Question): Promise<CheckReply> {
  const { receiptNumber, partnerId, userId, elapsedMs } = question;
  const data = {
    receipt_number: receiptNumber,
    caller: { partner_id: partnerId, user_id: userId },
    max_age_s: freshForSeconds,
  };
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
