import { toIso } from '@casewatch/contracts';
import { currentContext, newContext, transaction } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { eventBody, eventIdOf } from '../domain/event-body.ts';
import { presentWebhook } from '../present/webhook.ts';
import { writeEvent } from './write-event.ts';

/** Disables an endpoint and notifies the partner's other endpoints (webhooks.md, Delivery). */
export async function disableEndpoint(ctx: Context, webhookId: number, reason: string): Promise<void> {
  const at = ctx.clock.now();
  await transaction(ctx.db, async (session) => {
    const row = await ctx.stores.webhooks.disable(session, webhookId, at, reason);
    if (!row) return;
    const { partner_id } = row;
    await ctx.stores.partners.raiseRevision(session, partner_id);
    const facts = { webhook_id: webhookId, partner_id, reason, disabled_at: toIso(at) };
    const busId = await ctx.outbox.add(session, 'webhook.disabled', `webhook/${webhookId}`, facts);
    const _id = eventIdOf(busId);
    const type = 'webhook.disabled' as const;
    const body = eventBody({ id: _id, type, time: at, data: { webhook: presentWebhook(row) } });
    const { traceparent } = currentContext() ?? newContext();
    const event = { _id, partner_id, user_id: null, type, body, traceparent };
    await writeEvent(ctx, session, event);
  });
  ctx.log.warn({ webhook: webhookId, reason }, 'webhook endpoint disabled');
}
