import { toIso } from '@casewatch/contracts';
import { rowContext } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { eventBody, eventIdOf } from '../domain/event-body.ts';
import { presentWebhook } from '../present/webhook.ts';
import type { Settled } from '../store/delivery-claims.ts';
import type { Disabling, Failure } from '../store/webhook-health.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { writeEvent } from './write-event.ts';

/** Disables an endpoint of which no attempt has succeeded since `failingSince`. */
export async function disableFailingEndpoint(ctx: Context, webhookId: number, failingSince: Date) {
  const cause = { at: ctx.clock.now(), reason: 'failing', failingSince };
  tell(ctx, await transaction(ctx.db, (session) => disable(ctx, session, webhookId, cause)));
}

/**
 * Disables an endpoint that answered with 410 and cancels the delivery that it refused. Both are one transaction with the
 * failure, which changes the endpoint's row each time: so the owner who switches it on makes this delivery due again, or
 * has the endpoint disabled again after it.
 *
 * @returns 1 if the delivery was stored, 0 if its claim was lost
 */
export async function disableGoneEndpoint(
  ctx: Context,
  failure: Failure,
  delivery: Settled,
): Promise<number> {
  const { webhookId } = failure;
  const { stored, disabled } = await transaction(ctx.db, async (session) => {
    await ctx.stores.webhookHealth.recordFailures([failure], session);
    const stored = await ctx.stores.deliveries.settleAll([delivery], session);
    const cause = { at: ctx.clock.now(), reason: 'gone' };
    return { stored, disabled: await disable(ctx, session, webhookId, cause) };
  });
  tell(ctx, disabled);
  return stored;
}

type Disabled = { webhookId: number; reason: string; deliveryIds: string[] };

/** Notifies the partner's other endpoints (webhooks.md, Delivery). The mail to the owner is due then. */
async function disable(
  ctx: Context,
  session: Session,
  webhookId: number,
  cause: Disabling,
): Promise<Disabled | null> {
  const row = await ctx.stores.webhookHealth.disable(session, webhookId, cause);
  if (!row) return null;
  return {
    webhookId,
    reason: cause.reason,
    deliveryIds: await writeDisabled(ctx, session, row, cause.at),
  };
}

function tell(ctx: Context, disabled: Disabled | null): void {
  if (!disabled) return;
  const { webhookId, reason, deliveryIds } = disabled;
  ctx.log.warn({ webhook: webhookId, reason }, 'webhook endpoint disabled');
  ctx.signals.emit('endpoint', webhookId);
  ctx.signals.emit('deliveries', deliveryIds);
}

async function writeDisabled(ctx: Context, session: Session, row: WebhookRow, at: Date): Promise<string[]> {
  const { _id: webhook_id, partner_id } = row;
  await ctx.stores.partners.raiseRevision(session, partner_id);
  const facts = { webhook_id, partner_id, reason: row.disabled_reason ?? '', disabled_at: toIso(at) };
  const busId = await ctx.outbox.add(session, 'webhook.disabled', `webhook/${webhook_id}`, facts);
  const _id = eventIdOf(busId);
  const type = 'webhook.disabled' as const;
  const body = eventBody({ id: _id, type, time: at, data: { webhook: presentWebhook(row) } });
  const { traceparent } = rowContext();
  return await writeEvent(ctx, session, { _id, partner_id, user_id: null, type, body, traceparent });
}
