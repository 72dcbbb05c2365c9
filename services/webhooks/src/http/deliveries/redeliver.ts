import { ApiError, acted, type Handler } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import type { Context } from '../../context.ts';
import { presentDelivery } from '../../present/delivery.ts';
import { loadWithHold } from '../load-webhook.ts';

/** POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver */
export function redeliver(ctx: Context): Handler<'redeliver'> {
  return async ({ caller, params }) => {
    const { webhook, hold } = await loadWithHold(ctx, caller.partner_id, params.webhook_id);
    const row = await ctx.stores.deliveries.findOf(webhook._id, params.delivery_id);
    if (!row) throw new ApiError('delivery_not_found');
    const event = await ctx.stores.events.find(row.event_id);
    if (!event) throw new ApiError('event_deleted');
    const queued = await transaction(ctx.db, async (session) => {
      const queued = await ctx.stores.replays.redeliver(session, row._id);
      if (queued) acted('delivery', row._id);
      return queued;
    });
    if (!queued) throw new ApiError('delivery_in_progress', { retryAfterS: 1 });
    ctx.signals.emit('deliveries', [row._id]);
    const message = webhook.active
      ? 'The event is sent again.'
      : 'The event is sent again when you set active to true.';
    return {
      body: { success: true, message, delivery: presentDelivery(queued, { hold, body: event.body }) },
    };
  };
}
