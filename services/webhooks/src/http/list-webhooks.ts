import { type Handler, readPage } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentWebhook } from '../present/webhook.ts';
import type { WebhookRow } from '../store/webhooks.ts';

/** GET /v1/webhooks */
export function listWebhooks(ctx: Context): Handler<'list_webhooks'> {
  return async ({ caller, query }) => {
    const { partner_id: partnerId } = caller;
    const { active, limit, cursor } = query;
    const filters = { active: active ?? null };
    const { rows, page } = await readPage<WebhookRow>({
      cursors: ctx.cursors,
      scope: { operation: 'list_webhooks', caller, filters, sort: '-created_at' },
      cursor,
      limit,
      read: (after, count) => ctx.stores.webhooks.page({ partnerId, active, limit: count, after }),
      positionOf: (row) => [row.created_at.getTime(), row._id],
    });
    return { body: { webhooks: rows.map(presentWebhook), ...page } };
  };
}
