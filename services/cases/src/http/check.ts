import { errorCatalogue, type Success, toIso } from '@casewatch/contracts';
import { ApiError, type Handler } from '@casewatch/platform';
import { checkReceipt } from '../clients/monitor.ts';
import type { Context } from '../context.ts';
import { firstObservation } from '../domain/first-state.ts';
import { toObserved } from '../domain/observed.ts';
import { presentStatus, type View } from '../present/status-update.ts';

const unreadableRetryS = 60;

/** POST /v1/check: stores no case. */
export function check(ctx: Context): Handler<'check'> {
  return async ({ caller, body, language }) => {
    const reply = await checkReceipt(ctx.bus, {
      receiptNumber: body.receipt_number,
      caller: {
        partner_id: caller.partner_id,
        user_id: caller.kind === 'user' ? caller.user_id : null,
      },
      maxAgeSeconds: body.max_age,
      elapsedMs: 0,
    });
    return { body: answerOf(body.receipt_number, reply, { language, time: toIso, now: ctx.clock.now() }) };
  };
}

/** @throws ApiError status_not_available, uscis_unavailable */
function answerOf(
  receiptNumber: string,
  reply: Awaited<ReturnType<typeof checkReceipt>>,
  view: View,
): Success<'check'> {
  // The neutral sentence of the catalogue: a protected case must look like an unknown one.
  if (reply.outcome === 'not_found') throw notAvailable(reply.message);
  if (reply.outcome === 'unreadable') {
    const message = 'The response of USCIS could not be read; try again later.';
    throw new ApiError('uscis_unavailable', { message, retryAfterS: unreadableRetryS });
  }
  const { facts, checked_at, source } = reply;
  const observed = toObserved(facts, firstObservation(reply));
  return {
    success: true,
    message:
      source === 'live' ? 'Status checked.' : 'Status checked recently. The response is the stored status.',
    receipt_number: receiptNumber,
    status: presentStatus(observed, view),
    checked_at,
    source,
  };
}

/** The sentence of USCIS is the same for an unknown and for a protected case. */
function notAvailable(said: string | null): ApiError {
  const { message } = errorCatalogue.status_not_available;
  return new ApiError('status_not_available', {
    message: said === null ? message : `${message} USCIS says: ${said}`,
  });
}
