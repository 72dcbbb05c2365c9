import { type CheckReply, liveCheckDeadlineMs, type RequestData } from '@casewatch/contracts';
import { ApiError, type Bus } from '@casewatch/platform';

/** Part of the operation's time that is left for storing and answering, ms. */
const reserveMs = 700;

type LiveCheck = {
  receiptNumber: string;
  /** The check is charged to this caller's share. */
  caller: RequestData<'monitor.check'>['caller'];
  /** Greatest age of a stored answer. */
  maxAgeSeconds: number;
  /** Part of the operation's time that has passed. */
  elapsedMs: number;
};

/**
 * A live check of a receipt number.
 * @throws ApiError receipt_number_rejected; uscis_unavailable; rate_limited if the caller's share is used up
 */
export async function checkReceipt(bus: Bus, check: LiveCheck) {
  const { receiptNumber, caller, maxAgeSeconds, elapsedMs } = check;
  const data = { receipt_number: receiptNumber, caller, max_age_s: maxAgeSeconds };
  const deadlineMs = liveCheckDeadlineMs - reserveMs - elapsedMs;
  const reply = await bus.request('monitor.check', data, { deadlineMs }).catch((error: unknown) => {
    throw isUnanswered(error)
      ? new ApiError('uscis_unavailable', { cause: error, detail: 'monitor.check was not answered' })
      : error;
  });
  if (reply.outcome === 'rejected') throw receiptRejected(reply);
  return reply;
}

/** A refusal by the monitor itself has no cause. */
function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'service_unavailable' && error.cause !== undefined;
}

function receiptRejected({ message: reason }: CheckReply & { outcome: 'rejected' }): ApiError {
  const message = `USCIS rejects this receipt number${reason ? `: ${reason}` : '.'}`;
  const code = 'receipt_number_rejected';
  const fault = { in: 'body', pointer: '#/receipt_number', code, message } as const;
  return new ApiError(code, { message, faults: [fault] });
}
