import { ApiError } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { WebhookRow } from '../store/webhooks.ts';

/** @throws ApiError webhook_not_found, also for an endpoint of another partner */
export async function loadWebhook(ctx: Context, partnerId: number, id: number): Promise<WebhookRow> {
  const row = await ctx.stores.webhooks.findOf(partnerId, id);
  if (!row) throw new ApiError('webhook_not_found');
  return row;
}
