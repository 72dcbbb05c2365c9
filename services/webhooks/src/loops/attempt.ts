import { attemptHeaders } from '../clients/attempt-headers.ts';
import type { Outcome } from '../clients/endpoint.ts';
import type { Context } from '../context.ts';
import { maxAttempts, nextDelayMs, parseRetryAfter } from '../domain/retry-schedule.ts';
import type { ClaimedDelivery } from '../store/deliveries.ts';
import { keepClaim, leaseMs } from './keep-claim.ts';
import type { Endpoint } from './load-endpoint.ts';

/** One attempt's end, for the endpoint's health. */
export type Attempted = Outcome & { at: Date };

/**
 * Claims a delivery, calls the endpoint, writes down what came of it.
 * @returns null where nothing came of it: taken by another replica, cancelled, or given up
 */
export async function attemptDelivery(
  ctx: Context,
  endpoint: Endpoint,
  id: string,
): Promise<Attempted | null> {
  const claimedAt = performance.now();
  const claim = ctx.random.bytes(12).toString('base64url');
  const delivery = await ctx.stores.deliveries.claim(id, claim, leaseMs);
  if (!delivery) return null;
  const kept = keepClaim(ctx, { id, claim, claimedAt });
  try {
    return await attempt(ctx, endpoint, { delivery, claim, lost: kept.lost });
  } finally {
    kept.release();
  }
}

type Claimed = { delivery: ClaimedDelivery; claim: string; lost: AbortSignal };

async function attempt(
  ctx: Context,
  endpoint: Endpoint,
  { delivery, claim, lost }: Claimed,
): Promise<Attempted | null> {
  const event = await ctx.stores.events.find(delivery.event_id);
  // The event was erased, or the process died in every attempt up to the last.
  const end = !event ? 'cancelled' : delivery.attempt_count > maxAttempts ? 'failed' : null;
  if (end !== null || !event) {
    await ctx.stores.deliveries.settle(
      delivery._id,
      claim,
      { status: end ?? 'cancelled', dueInMs: null },
      null,
    );
    return null;
  }
  const at = ctx.clock.now();
  const { secrets, ownHeaders: own } = endpoint;
  const { body, traceparent } = event;
  const headers = attemptHeaders({ eventId: event._id, body, at, secrets, traceparent, own });
  const outcome = await ctx.endpoint.post({ url: endpoint.url, headers, body, ended: lost });
  if (lost.aborted && outcome.status === null) {
    // Broken off by us: that says nothing of the endpoint, and whoever has the delivery now attempts it.
    ctx.log.warn({ delivery: delivery._id }, 'attempt cancelled: its claim was lost');
    return null;
  }
  await settle(ctx, delivery, claim, { ...outcome, at });
  return { ...outcome, at };
}

async function settle(ctx: Context, delivery: ClaimedDelivery, claim: string, done: Attempted) {
  const { at, status, ms, error, location, response } = done;
  const row = { at, status, ms, error, manual: false, location, response };
  const next = nextStep(ctx, delivery.attempt_count, done);
  const kept = await ctx.stores.deliveries.settle(delivery._id, claim, next, row);
  const facts = { delivery: delivery._id, webhook: delivery.webhook_id, status, error, ms };
  if (!kept) ctx.log.warn(facts, 'attempt ended after its claim had expired; result discarded');
  else if (next.status === 'delivered') ctx.log.debug(facts, 'webhook delivered');
  else
    ctx.log.info({ ...facts, attempt: delivery.attempt_count, next: next.status }, 'webhook not delivered');
}

function nextStep(ctx: Context, attempts: number, { error, retryAfter }: Attempted) {
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
