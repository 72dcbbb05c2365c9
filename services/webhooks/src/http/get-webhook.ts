import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentWebhook } from '../present/webhook.ts';
import { loadWebhook } from './load-webhook.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** GET /v1/webhooks/{webhook_id} */
export function getWebhook(ctx: Context): Handler<'get_webhook'> {
  return async ({ caller, params }) => {
    const row = await loadWebhook(ctx, caller.partner_id, params.webhook_id);
    const since = new Date(ctx.clock.now().getTime() - dayMs);
    const success_rate_24h = await ctx.stores.deliveries.successRate(row._id, since);
    return { body: { webhook: { ...presentWebhook(row), success_rate_24h } } };
  };
}
