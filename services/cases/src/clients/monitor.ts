import { type CheckReply, liveCheckDeadlineMs, type RequestData } from '@casewatch/contracts';
import { ApiError, type Bus, type Logger, timeLeftMs, withoutTimeLimit } from '@casewatch/platform';
import { LRUCache } from 'lru-cache';

/** Part of the operation's time that is left for storing and answering, ms. */
const reserveMs = 700;

type LiveCheck = {
  receiptNumber: string;
  /** The check counts against the share of this caller. */
  payer: RequestData<'monitor.check'>['caller'];
  /** Greatest age of a stored answer. */
  maxAgeSeconds: number;
};

/** `rejected` is refused before. */
export type Checked = Exclude<CheckReply, { outcome: 'rejected' }>;

/**
 * A live check of a receipt number.
 * @throws ApiError receipt_number_rejected; uscis_unavailable; service_unavailable without a monitor; rate_limited if the
 * payer's share is used up
 */
export async function checkReceipt(bus: Bus, check: LiveCheck): Promise<Checked> {
  const { receiptNumber, payer, maxAgeSeconds } = check;
  const data = { receipt_number: receiptNumber, caller: payer, max_age_s: maxAgeSeconds };
  const deadlineMs = Math.min(liveCheckDeadlineMs, timeLeftMs()) - reserveMs;
  const reply = await bus.request('monitor.check', data, { deadlineMs }).catch((error: unknown) => {
    throw isUnanswered(error)
      ? new ApiError('uscis_unavailable', { cause: error, detail: 'monitor.check was not answered' })
      : error;
  });
  if (reply.outcome === 'rejected') throw receiptRejected(reply);
  return reply;
}

/** An error of the way to the monitor has a cause, a refusal by the monitor itself has none. */
function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'service_unavailable' && error.cause !== undefined;
}

function receiptRejected({ message: reason }: CheckReply & { outcome: 'rejected' }): ApiError {
  const message = `USCIS rejects this receipt number${reason ? `: ${reason}` : '.'}`;
  const code = 'receipt_number_rejected';
  const fault = { in: 'body', pointer: '#/receipt_number', code, message } as const;
  return new ApiError(code, { message, faults: [fault] });
}

export type CapacityCheck = {
  /** @throws ApiError service_unavailable if the USCIS quota is too small for more cases */
  assertCapacity(): Promise<void>;
};

const capacityCacheMs = 10_000;
const capacityDeadlineMs = 500;
const capacityRetryAfterS = 3_600;

/**
 * Asks the monitor for capacity, at most every 10 s. No answer admits the case: if its first check is needed, that fails by
 * itself.
 */
export function createCapacityCheck(bus: Bus, log: Logger): CapacityCheck {
  async function fetchCapacity(): Promise<boolean> {
    try {
      return (await bus.request('monitor.status', {}, { deadlineMs: capacityDeadlineMs })).accepts_new_cases;
    } catch (error) {
      log.debug({ err: error }, 'monitor.status unavailable; admitting the case');
      return true;
    }
  }

  // Several callers share an answer, so it must not end with the first caller's time limit.
  const hasCapacity = new LRUCache<'capacity', boolean>({
    max: 1,
    ttl: capacityCacheMs,
    fetchMethod: () => withoutTimeLimit(fetchCapacity),
  });
  return {
    async assertCapacity() {
      if (await hasCapacity.forceFetch('capacity')) return;
      throw new ApiError('service_unavailable', {
        message:
          'New cases are not accepted at the moment: the USCIS quota is fully used by the cases already monitored.',
        detail: 'the planned median interval between two checks is longer than the limit',
        retryAfterS: capacityRetryAfterS,
      });
    },
  };
}
