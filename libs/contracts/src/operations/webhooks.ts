import { z } from 'zod';
import { description, idText } from '../fields.ts';
import { operation, webhookTestDeadlineMs } from '../operation.ts';
import { detailedAttempt } from '../resources/delivery.ts';
import {
  webhook,
  webhookEventFilter,
  webhookEventType,
  webhookWithRate,
  webhookWithSecret,
} from '../resources/webhook.ts';
import { webhookEventId } from '../webhook-events/bodies.ts';
import { booleanText, done, maxRows, page, paging } from './common.ts';

const url = z.string().trim().min(1).max(2_048);
const events = z.array(webhookEventFilter).min(1).max(20);

/** An endpoint's own headers: visible ASCII, at most 10, at most 1 KiB each (webhooks.md, Operations). */
const headers = z
  .record(
    z
      .string()
      .max(64)
      .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be a header name'),
    z
      .string()
      .max(1_024)
      .regex(/^[\x20-\x7e]*$/, 'must be visible ASCII'),
  )
  .refine((value) => Object.keys(value).length <= 10, 'must have at most 10 headers');

const rateLimit = z.int().min(1).max(5_000);
const params = z.strictObject({ webhook_id: idText });
const day = 86_400;

/** Endpoints (webhooks.md, Operations). */
export const webhookOperations = {
  list_webhooks: operation({
    service: 'webhooks',
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'List webhooks',
    note: 'Returns your webhook endpoints.',
    who: ['partner'],
    scope: 'webhooks',
    role: 'owner',
    query: z.strictObject({ ...paging, active: booleanText.optional() }),
    success: { status: 200, body: z.strictObject({ webhooks: z.array(webhook).max(maxRows), ...page }) },
    errors: ['invalid_cursor'],
  }),
  create_webhook: operation({
    service: 'webhooks',
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Create a webhook',
    note: 'Creates an endpoint that receives events. The response contains the signing secret, which is shown only once.',
    idempotent: true,
    who: ['partner'],
    scope: 'webhooks',
    role: 'owner',
    isSensitive: true,
    recorded: 'effect',
    body: z.strictObject({
      url,
      events,
      description: description.default(''),
      active: z.boolean().default(true),
      headers: headers.default({}),
      rate_limit: rateLimit.default(50),
    }),
    success: { status: 201, body: z.strictObject({ ...done, webhook: webhookWithSecret }) },
    errors: ['webhook_url_not_allowed', 'webhook_limit_reached'],
  }),
  get_webhook: operation({
    service: 'webhooks',
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}',
    summary: 'Get a webhook',
    note: 'Retrieves an endpoint with its success rate in the last 24 hours.',
    who: ['partner'],
    scope: 'webhooks',
    role: 'owner',
    params,
    success: { status: 200, body: z.strictObject({ webhook: webhookWithRate }) },
    errors: ['webhook_not_found'],
  }),
  update_webhook: operation({
    service: 'webhooks',
    method: 'PUT',
    path: '/v1/webhooks/{webhook_id}',
    summary: 'Update a webhook',
    note: 'Changes the fields that you send. Set `active` to true to enable an endpoint that was disabled because it failed.',
    who: ['partner'],
    scope: 'webhooks',
    role: 'owner',
    recorded: 'effect',
    params,
    body: z.strictObject({
      url: url.optional(),
      events: events.optional(),
      description: description.optional(),
      active: z.boolean().optional(),
      headers: headers.optional(),
      rate_limit: rateLimit.optional(),
    }),
    success: { status: 200, body: z.strictObject({ ...done, webhook }) },
    errors: ['empty_update', 'webhook_url_not_allowed', 'webhook_not_found'],
  }),
  delete_webhook: operation({
    service: 'webhooks',
    method: 'DELETE',
    path: '/v1/webhooks/{webhook_id}',
    summary: 'Delete a webhook',
    note: 'Deletes the endpoint. It receives no more events.',
    who: ['partner'],
    scope: 'webhooks',
    role: 'owner',
    isSensitive: true,
    recorded: 'effect',
    params,
    success: { status: 200, body: z.strictObject(done) },
    errors: ['webhook_not_found'],
  }),
  rotate_webhook_secret: operation({
    service: 'webhooks',
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/rotate-secret',
    summary: 'Rotate the signing secret',
    note: 'Creates a new signing secret, which is shown only once. Every older secret also signs for `overlap_seconds`, or until it expires, if that is earlier.',
    idempotent: true,
    who: ['partner'],
    scope: 'webhooks',
    role: 'owner',
    isSensitive: true,
    recorded: 'effect',
    params,
    body: z.strictObject({
      overlap_seconds: z
        .int()
        .min(0)
        .max(7 * day)
        .default(day)
        .describe('Seconds for which older secrets also sign. 0: only the new secret signs from now on.'),
    }),
    success: { status: 200, body: z.strictObject({ ...done, webhook: webhookWithSecret }) },
    errors: ['webhook_not_found'],
  }),
  test_webhook: operation({
    service: 'webhooks',
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/test',
    summary: 'Test a webhook',
    note: 'Sends one event to the endpoint now and returns the result, even if the endpoint is not active. `webhook.ping` contains the endpoint; other types contain the data of their example. The id begins with `evt_test_`. The event is not stored and not retried.',
    deadlineMs: webhookTestDeadlineMs,
    who: ['partner'],
    scope: 'webhooks',
    role: 'owner',
    recorded: 'outside',
    params,
    body: z.strictObject({ event: webhookEventType.default('webhook.ping') }),
    success: {
      status: 200,
      body: z.strictObject({ ...done, event_id: webhookEventId, attempt: detailedAttempt }),
    },
    errors: ['webhook_not_found'],
  }),
};
