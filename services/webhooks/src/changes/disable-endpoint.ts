import { toIso } from '@casewatch/contracts';
import { rowContext } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { eventBody, eventIdOf } from '../domain/event-body.ts';
import { presentWebhook } from '../present/webhook.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { writeEvent } from './write-event.ts';

/** `gone`: it answered with 410. `failing`: no attempt has succeeded since `failingSince`. */
type Cause = { reason: 'gone' } | { reason: 'failing'; failingSince: Date };

/** Disables an endpoint and notifies the partner's other endpoints (webhooks.md, Delivery). The mail to its owner is due then. */
export async function disableEndpoint(ctx: Context, webhookId: number, cause: Cause): Promise<void> {
  const at = ctx.clock.now();
  const deliveryIds = await transaction(ctx.db, async (session) => {
    const row = await ctx.stores.webhookHealth.disable(session, webhookId, { at, ...cause });
    return row && (await writeDisabled(ctx, session, row, at));
  });
  if (deliveryIds === null) return;
  ctx.log.warn({ webhook: webhookId, reason: cause.reason }, 'webhook endpoint disabled');
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
