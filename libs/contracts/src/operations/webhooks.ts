import { z } from 'zod';
import { description, idText } from '../fields.ts';
import { operation } from '../operation.ts';
import {
  delivery,
  deliveryStatus,
  webhook,
  webhookEventFilter,
  webhookEventType,
  webhookWithRate,
  webhookWithSecret,
} from '../resources/webhook.ts';
import { booleanText, done, maxRows, page, paging, timeText } from './common.ts';

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

/** Endpoints and their deliveries (webhooks.md). */
export const webhookOperations = {
  list_webhooks: operation({
    service: 'webhooks',
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'List webhooks',
    note: 'Returns your webhook endpoints.',
    who: ['partner'],
    scope: 'webhooks',
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
    params,
    success: { status: 200, body: z.strictObject(done) },
    errors: ['webhook_not_found'],
  }),
  list_deliveries: operation({
    service: 'webhooks',
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}/deliveries',
    summary: 'List webhook deliveries',
    note: 'Returns the deliveries of an endpoint with every attempt.',
    who: ['partner'],
    scope: 'webhooks',
    params,
    query: z.strictObject({
      ...paging,
      status: deliveryStatus.optional(),
      event: webhookEventType.optional(),
      since: timeText.optional(),
      until: timeText.optional(),
    }),
    success: { status: 200, body: z.strictObject({ deliveries: z.array(delivery).max(maxRows), ...page }) },
    errors: ['webhook_not_found', 'invalid_cursor'],
  }),
};
