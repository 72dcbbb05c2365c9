import { failSpan, inContext, inSpan, newContext, parseRetryAfter, rowContext } from '@casewatch/platform';
import { attemptHeaders } from '../clients/attempt-headers.ts';
import type { Outcome } from '../clients/endpoint.ts';
import { liveKeys } from '../clients/endpoint-secrets.ts';
import type { Context } from '../context.ts';
import { maxAttempts, nextDelayMs } from '../domain/retry-schedule.ts';
import type { Failure } from '../store/webhook-health.ts';
import type { Held } from './claim-keeper.ts';
import type { Endpoint } from './load-endpoint.ts';
import type { Result, Settler } from './settler.ts';

export type AttemptResult = Outcome & {
  at: Date;
  /** Stores the delivery with the failure: only of an endpoint that answered with 410, which is disabled then. */
  storeGone?: (failure: Failure) => Promise<void>;
};

/** Null without a result: the event was erased, the attempts are used up, or the claim was lost. */
export async function attemptDelivery(
  ctx: Context,
  settler: Settler,
  { endpoint, held }: { endpoint: Endpoint; held: Held },
): Promise<AttemptResult | null> {
  const { event, attempt_count: attempts } = held.delivery;
  // More attempts: the process died in the last one.
  if (event === null || attempts > maxAttempts) {
    const end = event
      ? { status: 'failed' as const }
      : { status: 'cancelled' as const, reason: 'user_deleted' as const };
    settler.settle(held, { ...end, dueInMs: null, attempt: null });
    return null;
  }
  const attributes = { 'casewatch.row': held.delivery._id, 'casewatch.attempt': attempts };
  const description = { name: 'deliver webhook', kind: 'client' as const, attributes };
  const result = await inContext(newContext(undefined, event.traceparent), () =>
    inSpan(description, async (span) => {
      const outcome = await callEndpoint(ctx, endpoint, { event, lost: held.lost.signal });
      if (outcome.status !== null) span?.setAttribute('http.response.status_code', outcome.status);
      if (span && outcome.error !== null) failSpan(span, outcome.error);
      return outcome;
    }),
  );
  if (held.lost.signal.aborted && result.status === null) {
    // We aborted the call, so it says nothing about the endpoint.
    ctx.log.warn({ delivery: held.delivery._id }, 'attempt cancelled: its claim was lost');
    return null;
  }
  const settled = settledBy(ctx, held, result);
  if (result.status === 410)
    return { ...result, storeGone: (failure) => settler.settleGone(held, settled, failure) };
  settler.settle(held, settled);
  return result;
}

type Call = { event: NonNullable<Held['delivery']['event']>; lost: AbortSignal };

async function callEndpoint(ctx: Context, endpoint: Endpoint, { event, lost }: Call): Promise<AttemptResult> {
  const at = ctx.clock.now();
  const { body } = event;
  const headers = attemptHeaders({
    eventId: event._id,
    body,
    at,
    keys: liveKeys(endpoint.secrets, at),
    traceparent: rowContext().traceparent,
    own: endpoint.ownHeaders,
  });
  const call = { webhookId: endpoint.id, url: endpoint.url, headers, body, ended: lost };
  return { ...(await ctx.endpoint.post(call)), at };
}

function settledBy(ctx: Context, held: Held, result: AttemptResult): Result {
  const { _id, webhook_id: webhook, attempt_count: attempt, manual: isManual } = held.delivery;
  const { at, status, ms, error, location, response, cause = null } = result;
  const next = nextStep(ctx, attempt, result);
  const manual = isManual === true && attempt === 1;
  if (next.status !== 'pending') ctx.metrics.deliveryEnded(next.status);
  const fields = { delivery: _id, webhook, status, error, ms };
  if (next.status === 'delivered') ctx.log.debug(fields, 'webhook delivered');
  else ctx.log.info({ ...fields, attempt, next: next.status }, 'webhook not delivered');
  return { ...next, attempt: { at, status, ms, error, cause, manual, location, response } };
}

function nextStep(ctx: Context, attempts: number, { error, status, retryAfter }: AttemptResult) {
  if (error === null) return { status: 'delivered' as const, dueInMs: null };
  // The endpoint wants nothing more, and is disabled (disable-endpoint.ts).
  if (status === 410)
    return { status: 'cancelled' as const, dueInMs: null, reason: 'endpoint_gone' as const };
  const dueInMs = nextDelayMs({
    attempts,
    error,
    retryAfterMs: parseRetryAfter(retryAfter, ctx.clock.now()),
    scale: ctx.config.WEBHOOKS_RETRY_SCALE,
    fraction: ctx.random.fraction(),
  });
  return { status: dueInMs === null ? ('failed' as const) : ('pending' as const), dueInMs };
}
