import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentWebhook } from '../domain/present-webhook.ts';
import { partnerOf } from './partner-of.ts';

/** GET /v1/webhooks: the partner's endpoints, newest first. */
export function listWebhooks(ctx: Context): Handler<'list_webhooks'> {
  return async ({ principal, query }) => {
    const partnerId = partnerOf(principal);
    const { active, limit, cursor } = query;
    const filters = { active: active ?? null };
    const scope = {
      operation: 'list_webhooks',
      caller: `partner:${partnerId}`,
      filters,
      sort: '-created_at',
    };
    const after = cursor === undefined ? null : positionOf(ctx.cursors.decode(scope, cursor));
    const rows = await ctx.stores.webhooks.page({ partnerId, active, limit: limit + 1, after });
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      body: {
        webhooks: shown.map(presentWebhook),
        has_more: last !== undefined,
        next_cursor: last ? ctx.cursors.encode(scope, [last.created_at.getTime(), last._id]) : null,
      },
    };
  };
}

function positionOf([createdAt, id]: [unknown, number]): [Date, number] {
  return [new Date(Number(createdAt)), id];
}
