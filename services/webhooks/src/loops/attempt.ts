import { attemptHeaders } from '../clients/attempt-headers.ts';
import type { Outcome } from '../clients/endpoint.ts';
import type { Context } from '../context.ts';
import { maxAttempts, nextDelayMs, parseRetryAfter } from '../domain/retry-schedule.ts';
import type { ClaimedDelivery } from '../store/delivery-claims.ts';
import { keepClaim, leaseMs } from './keep-claim.ts';
import type { Endpoint } from './load-endpoint.ts';

export type AttemptResult = Outcome & { at: Date };

/** Null without a call: another replica has the claim, or the delivery was cancelled or given up. */
export async function attemptDelivery(
  ctx: Context,
  endpoint: Endpoint,
  id: string,
): Promise<AttemptResult | null> {
  const claimedAt = performance.now();
  const claim = ctx.random.bytes(12).toString('base64url');
  const delivery = await ctx.stores.deliveries.claim(id, claim, leaseMs);
  if (!delivery) return null;
  const lease = keepClaim(ctx, { id, claim, claimedAt });
  try {
    return await callEndpoint(ctx, endpoint, { delivery, claim, lost: lease.lost });
  } finally {
    lease.release();
  }
}

type Claimed = { delivery: ClaimedDelivery; claim: string; lost: AbortSignal };

async function callEndpoint(
  ctx: Context,
  endpoint: Endpoint,
  { delivery, claim, lost }: Claimed,
): Promise<AttemptResult | null> {
  const event = await ctx.stores.events.find(delivery.event_id);
  // The event was erased, or the process died in the last attempt.
  if (!event || delivery.attempt_count > maxAttempts) {
    const end = { status: event ? 'failed' : 'cancelled', dueInMs: null } as const;
    await ctx.stores.deliveries.recordResult(delivery._id, claim, end, null);
    return null;
  }
  const at = ctx.clock.now();
  const { secrets, ownHeaders } = endpoint;
  const { body, traceparent } = event;
  const headers = attemptHeaders({ eventId: event._id, body, at, secrets, traceparent, own: ownHeaders });
  const outcome = await ctx.endpoint.post({ url: endpoint.url, headers, body, ended: lost });
  if (lost.aborted && outcome.status === null) {
    // We aborted the call, so it says nothing about the endpoint.
    ctx.log.warn({ delivery: delivery._id }, 'attempt cancelled: its claim was lost');
    return null;
  }
  const result = { ...outcome, at };
  await recordResult(ctx, delivery, claim, result);
  return result;
}

async function recordResult(ctx: Context, delivery: ClaimedDelivery, claim: string, result: AttemptResult) {
  const { at, status, ms, error, location, response, cause = null } = result;
  const manual = delivery.manual === true && delivery.attempt_count === 1;
  const row = { at, status, ms, error, cause, manual, location, response };
  const next = nextStep(ctx, delivery.attempt_count, result);
  const isStored = await ctx.stores.deliveries.recordResult(delivery._id, claim, next, row);
  const fields = { delivery: delivery._id, webhook: delivery.webhook_id, status, error, ms };
  if (isStored && next.status !== 'pending') ctx.metrics.deliveryEnded(next.status);
  if (!isStored) ctx.log.warn(fields, 'attempt ended after its claim had expired; result discarded');
  else if (next.status === 'delivered') ctx.log.debug(fields, 'webhook delivered');
  else
    ctx.log.info({ ...fields, attempt: delivery.attempt_count, next: next.status }, 'webhook not delivered');
}

function nextStep(ctx: Context, attempts: number, { error, retryAfter }: AttemptResult) {
  if (error === null) return { status: 'delivered' as const, dueInMs: null };
  const dueInMs = nextDelayMs({
    attempts,
    error,
    retryAfterMs: parseRetryAfter(retryAfter, ctx.clock.now()),
    scale: ctx.config.WEBHOOKS_RETRY_SCALE,
    fraction: ctx.random.fraction(),
  });
  return { status: dueInMs === null ? ('failed' as const) : ('pending' as const), dueInMs };
}
