import { ApiError, type Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentDelivery } from '../domain/present-delivery.ts';
import { partnerOf } from './partner-of.ts';

/** GET /v1/webhooks/{webhook_id}/deliveries: newest first. */
export function listDeliveries(ctx: Context): Handler<'list_deliveries'> {
  return async ({ principal, params, query }) => {
    const partnerId = partnerOf(principal);
    const { limit, cursor, status, event, since, until } = query;
    const filter = { webhookId: params.webhook_id, status, event, since, until };
    const caller = `partner:${partnerId}`;
    const scope = { operation: 'list_deliveries', caller, filters: filter, sort: '-created_at' };
    const after = cursor === undefined ? null : positionOf(ctx.cursors.decode(scope, cursor));
    const webhook = await ctx.stores.webhooks.findOf(partnerId, params.webhook_id);
    if (!webhook) throw new ApiError('webhook_not_found');
    const rows = await ctx.stores.deliveries.page(filter, limit + 1, after);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      body: {
        deliveries: shown.map(presentDelivery),
        has_more: last !== undefined,
        next_cursor: last ? ctx.cursors.encode(scope, [last._id, last.created_at.getTime()]) : null,
      },
    };
  };
}

function positionOf([id, createdAt]: [unknown, number]): [Date, string] {
  return [new Date(createdAt), String(id)];
}
