import type { Body } from '@casewatch/contracts';
import { ApiError, type Handler } from '@casewatch/platform';
import { activated, noFailures, updateEndpoint } from '../changes/update-endpoint.ts';
import type { Context } from '../context.ts';
import { presentWebhook } from '../present/webhook.ts';
import type { WebhookChange } from '../store/webhooks.ts';
import { checkEndpoint } from './check-endpoint.ts';
import { sealHeaders } from './create-webhook.ts';

/** PUT /v1/webhooks/{webhook_id}. `headers` replaces all headers. */
export function updateWebhook(ctx: Context): Handler<'update_webhook'> {
  return async ({ caller, params, body }) => {
    const url = await checkEndpoint(ctx, body);
    const change = changeOf(ctx, params.webhook_id, body, url);
    const row = await updateEndpoint(ctx, caller.partner_id, { id: params.webhook_id, change });
    if (!row) throw new ApiError('webhook_not_found');
    return { body: { success: true, message: 'Webhook updated.', webhook: presentWebhook(row) } };
  };
}

function changeOf(
  ctx: Context,
  id: number,
  body: Body<'update_webhook'>,
  url: string | undefined,
): WebhookChange {
  const { events, description, active, headers, rate_limit } = body;
  return {
    updated_at: ctx.clock.now(),
    ...(url !== undefined && { url, ...noFailures }),
    ...(events && { events: [...new Set(events)] }),
    ...(description !== undefined && { description }),
    ...(active !== undefined && { active }),
    ...(active && activated),
    ...(headers && { headers: sealHeaders(ctx, id, headers) }),
    ...(rate_limit !== undefined && { rate_limit }),
  };
}
