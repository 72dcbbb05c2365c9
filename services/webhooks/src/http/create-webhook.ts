import type { Body } from '@casewatch/contracts';
import { type Answer, ApiError, acted, type Handler } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { headerContext, secretContext } from '../domain/seal-contexts.ts';
import { presentWebhook } from '../present/webhook.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { checkEndpoint } from './check-endpoint.ts';

const maxPerPartner = 20;
const secretBytes = 32;

/** POST /v1/webhooks. The answer has the secret; the answer that is stored for the Idempotency-Key has not. */
export function createWebhook(ctx: Context): Handler<'create_webhook'> {
  return async ({ caller, body, remember }) => {
    const { partner_id: partnerId } = caller;
    const url = (await checkEndpoint(ctx, body)) ?? body.url;
    const secret = newSecret(ctx);
    const row = await newRow(ctx, partnerId, { ...body, url }, secret);
    await ctx.stores.partners.ensure(partnerId);
    await transaction(ctx.db, async (session) => {
      if (!(await ctx.stores.partners.incrementWithinLimit(session, partnerId, maxPerPartner)))
        throw new ApiError('webhook_limit_reached');
      await ctx.stores.webhooks.insert(session, row);
      acted('webhook', row._id);
      await remember(session, answerOf(row, null));
    });
    return answerOf(row, secret);
  };
}

function answerOf(row: WebhookRow, secret: string | null): Answer<'create_webhook'> {
  return {
    headers: { location: `/v1/webhooks/${row._id}` },
    body: { success: true, message: 'Webhook created.', webhook: { ...presentWebhook(row), secret } },
  };
}

async function newRow(
  ctx: Context,
  partnerId: number,
  body: Body<'create_webhook'>,
  secret: string,
): Promise<WebhookRow> {
  const id = await ctx.ids.next('webhooks');
  const now = ctx.clock.now();
  return {
    _id: id,
    partner_id: partnerId,
    url: body.url,
    events: [...new Set(body.events)],
    description: body.description,
    active: body.active,
    headers: sealHeaders(ctx, id, body.headers),
    rate_limit: body.rate_limit,
    secrets: [{ sealed: ctx.box.seal(secret, secretContext(id)), ends_at: null }],
    created_at: now,
    updated_at: now,
    last_delivery_at: null,
    last_status: null,
    failing_since: null,
    failures: 0,
    last_failure_at: null,
    last_error: null,
    notice: null,
    disabled_at: null,
    disabled_reason: null,
  };
}

/** As Standard Webhooks writes a secret. */
export function newSecret({ random }: Context): string {
  return `whsec_${random.bytes(secretBytes).toString('base64')}`;
}

/** Header values are often keys, so they are stored encrypted. */
export function sealHeaders(ctx: Context, webhookId: number, headers: Record<string, string>) {
  return Object.entries(headers).map(([name, value]) => ({
    name,
    sealed: ctx.box.seal(value, headerContext(webhookId, name)),
  }));
}
