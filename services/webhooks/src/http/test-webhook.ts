import { type WebhookEventType, webhookEvents } from '@casewatch/contracts';
import { type Handler, rowContext } from '@casewatch/platform';
import { attemptHeaders } from '../clients/attempt-headers.ts';
import { liveKeys, openSecrets, ownHeaders } from '../clients/endpoint-secrets.ts';
import type { Context } from '../context.ts';
import { eventBody, eventIdOf } from '../domain/event-body.ts';
import { presentDetailedAttempt } from '../present/attempt.ts';
import { presentWebhook } from '../present/webhook.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { loadWebhook } from './load-webhook.ts';

/** Shorter than a delivery: a caller waits (webhooks.md, Operations). */
const timeoutMs = 8_000;

/** POST /v1/webhooks/{webhook_id}/test. Nothing is stored, and the state of the endpoint does not change. */
export function testWebhook(ctx: Context): Handler<'test_webhook'> {
  return async ({ caller, params, body: { event: type } }) => {
    const webhook = await loadWebhook(ctx, caller.partner_id, params.webhook_id);
    const at = ctx.clock.now();
    const eventId = eventIdOf(`test_${ctx.random.bytes(16).toString('hex')}`);
    const body = eventBody({ id: eventId, type, time: at, data: dataOf(type, webhook) });
    const headers = attemptHeaders({
      eventId,
      body,
      at,
      keys: liveKeys(openSecrets(ctx.box, webhook), at),
      traceparent: rowContext().traceparent,
      own: ownHeaders(ctx.box, webhook),
    });
    const ended = AbortSignal.timeout(timeoutMs);
    const outcome = await ctx.endpoint.post({
      webhookId: webhook._id,
      url: webhook.url,
      headers,
      body,
      ended,
    });
    const ownHeaderNames = webhook.headers.map(({ name }) => name);
    const attempt = presentDetailedAttempt({ ...outcome, at, manual: true }, { eventId, ownHeaderNames });
    const message = attempt.message ?? `The endpoint answered ${attempt.status} in ${attempt.ms} ms.`;
    return { body: { success: true, message, event_id: eventId, attempt } };
  };
}

function dataOf(type: WebhookEventType, webhook: WebhookRow): object {
  return type === 'webhook.ping' ? { webhook: presentWebhook(webhook) } : webhookEvents[type].example;
}
