import { ApiError } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { type Hold, holdOf } from '../present/hold.ts';
import type { WebhookRow } from '../store/webhooks.ts';

/** @throws ApiError webhook_not_found, also for an endpoint of another partner */
export async function loadWebhook(ctx: Context, partnerId: number, id: number): Promise<WebhookRow> {
  const row = await ctx.stores.webhooks.findOf(partnerId, id);
  if (!row) throw new ApiError('webhook_not_found');
  return row;
}

/** The endpoint, and why it gets no deliveries now. @throws ApiError webhook_not_found */
export async function loadWithHold(
  ctx: Context,
  partnerId: number,
  id: number,
): Promise<{ webhook: WebhookRow; hold: Hold }> {
  const webhook = await loadWebhook(ctx, partnerId, id);
  const [partner] = await ctx.stores.partners.states([partnerId]);
  return { webhook, hold: holdOf(webhook, partner) };
}
