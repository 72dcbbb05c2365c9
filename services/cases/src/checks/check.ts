import { type Body, type CallerOf, errorCatalogue, type Success, toIso } from '@casewatch/contracts';
import { ApiError, type Handler, warning } from '@casewatch/platform';
import { type Checked, checkReceipt } from '../clients/monitor.ts';
import type { Context } from '../context.ts';
import { presentStatus, type View } from '../present/case.ts';
import { baselineOf, toObserved } from '../rules/status-update.ts';

const unreadableRetryS = 60;

/** POST /v1/check: stores no case. */
export function check(ctx: Context): Handler<'check'> {
  return async ({ caller, body, language }) => {
    const reply = await checkFor(ctx, caller, body);
    return { body: answerOf(body.receipt_number, reply, { language, time: toIso, now: ctx.clock.now() }) };
  };
}

/**
 * A stored answer is used only if the caller knows it: it was shown to this caller, or is newer than a monitored case of its own.
 * Otherwise `source` would tell that somebody else watches the receipt.
 */
export async function checkFor(
  ctx: Context,
  caller: CallerOf<'check'>,
  { receipt_number: receiptNumber, max_age: maxAge }: Body<'check'>,
): Promise<Checked> {
  const { ownChecks } = ctx;
  const startedAt = ctx.clock.now().getTime();
  const user_id = caller.kind === 'user' ? caller.user_id : null;
  const owner = caller.kind === 'user' ? { user_id: caller.user_id } : { partner_id: caller.partner_id };
  const [shown, watchedSince] = await Promise.all([
    ownChecks.find(caller, receiptNumber),
    ctx.stores.cases.watchedSince(owner, receiptNumber),
  ]);
  const secondsSince = (time: Date | string) => (startedAt - new Date(time).getTime()) / 1_000;
  if (shown && !watchedSince && secondsSince(shown.checked_at) <= maxAge) return cached(shown);
  // What is older than the case of its own was brought by others, unless it is what this caller was shown.
  const sinceWatch = watchedSince ? Math.floor(secondsSince(watchedSince)) : 0;
  const sinceShown = watchedSince && shown ? Math.ceil(secondsSince(shown.checked_at)) : 0;
  const ownSeconds = Math.max(0, sinceWatch, sinceShown);
  const reply = await checkReceipt(ctx.bus, {
    receiptNumber,
    payer: { partner_id: caller.partner_id, user_id },
    maxAgeSeconds: Math.min(maxAge, ownSeconds),
  });
  await ownChecks.put(caller, receiptNumber, reply).catch(warning(ctx.log, 'own check not stored'));
  // The erasure of a user who was deleted meanwhile may have passed before.
  if (user_id !== null && (await ctx.stores.userStates.find(user_id))?.deleted)
    await ownChecks.eraseUser(user_id);
  return reply;
}

function cached(reply: Checked): Checked {
  return reply.outcome === 'seen' ? { ...reply, source: 'cache' } : reply;
}

function answerOf(receiptNumber: string, reply: Checked, view: View): Success<'check'> {
  const seen = seenIn(reply);
  const { facts, checked_at, source } = seen;
  const observed = toObserved(facts, baselineOf(seen));
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

/** What USCIS shows. @throws ApiError status_not_available, uscis_unavailable */
export function seenIn(reply: Checked): Extract<Checked, { outcome: 'seen' }> {
  if (reply.outcome === 'not_found') throw notAvailable(reply.message);
  if (reply.outcome === 'unreadable') {
    const message = 'The response of USCIS could not be read; try again later.';
    throw new ApiError('uscis_unavailable', { message, retryAfterS: unreadableRetryS });
  }
  return reply;
}

/** The sentence of USCIS is the same for an unknown and for a protected case. */
function notAvailable(said: string | null): ApiError {
  const { message } = errorCatalogue.status_not_available;
  return new ApiError('status_not_available', {
    message: said === null ? message : `${message} USCIS says: ${said}`,
  });
}
