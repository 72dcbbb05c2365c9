import { type Handler, readPage } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { presentDelivery } from '../../present/delivery.ts';
import type { Hold } from '../../present/hold.ts';
import type { DeliveryRow } from '../../store/delivery-rows.ts';
import { loadWithHold } from '../load-webhook.ts';

/** GET /v1/webhooks/{webhook_id}/deliveries */
export function listDeliveries(ctx: Context): Handler<'list_deliveries'> {
  return async ({ caller, params, query }) => {
    const { limit, cursor, status, event, since, until } = query;
    let hold: Hold = null;
    const filter = { webhookId: params.webhook_id, status, event, since, until };
    const { rows, page } = await readPage<DeliveryRow>({
      cursors: ctx.cursors,
      scope: { operation: 'list_deliveries', caller, filters: filter, sort: '-created_at' },
      cursor,
      limit,
      async read(after, count) {
        ({ hold } = await loadWithHold(ctx, caller.partner_id, params.webhook_id));
        return await ctx.stores.deliveries.page(filter, count, after);
      },
      positionOf: (row) => [row._id, row.created_at.getTime()],
    });
    const events = await ctx.stores.events.findAll(rows.map(({ event_id }) => event_id));
    const present = (row: DeliveryRow) =>
      presentDelivery(row, { hold, body: events.get(row.event_id)?.body ?? null });
    return { body: { deliveries: rows.map(present), ...page } };
  };
}
