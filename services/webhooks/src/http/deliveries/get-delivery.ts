import { ApiError, type Handler } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { presentDeliveryWithPayload } from '../../present/delivery.ts';
import { loadWithHold } from '../load-webhook.ts';

/** GET /v1/webhooks/{webhook_id}/deliveries/{delivery_id} */
export function getDelivery(ctx: Context): Handler<'get_delivery'> {
  return async ({ caller, params }) => {
    const { webhook, hold } = await loadWithHold(ctx, caller.partner_id, params.webhook_id);
    const row = await ctx.stores.deliveries.findOf(webhook._id, params.delivery_id);
    if (!row) throw new ApiError('delivery_not_found');
    const event = await ctx.stores.events.find(row.event_id);
    return {
      body: { delivery: presentDeliveryWithPayload(row, { webhook, hold, body: event?.body ?? null }) },
    };
  };
}
