import { z } from 'zod';
import { idText } from '../fields.ts';
import { operation } from '../operation.ts';
import { delivery, deliveryStatus, deliveryWithPayload } from '../resources/delivery.ts';
import { webhookEventType } from '../resources/webhook.ts';
import { done, maxRows, page, paging, timeText } from './common.ts';

const webhookPath = z.strictObject({ webhook_id: idText });
const deliveryPath = z.strictObject({
  webhook_id: idText,
  delivery_id: z
    .string()
    .max(64)
    .regex(/^[\w:-]+$/, 'must be the id of a delivery'),
});

/** Deliveries of an endpoint (webhooks.md, Operations). */
export const webhookDeliveryOperations = {
  list_deliveries: operation({
    service: 'webhooks',
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}/deliveries',
    summary: 'List webhook deliveries',
    note: 'Returns the deliveries of an endpoint with every attempt.',
    who: ['partner'],
    scope: 'webhooks',
    role: 'owner',
    recorded: 'read',
    params: webhookPath,
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
  get_delivery: operation({
    service: 'webhooks',
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}',
    summary: 'Get a webhook delivery',
    note: 'Retrieves a delivery with the event and every attempt: the request headers, the beginning of the response, and a sentence that names the cause of a failure.',
    who: ['partner'],
    scope: 'webhooks',
    role: 'owner',
    recorded: 'read',
    params: deliveryPath,
    success: { status: 200, body: z.strictObject({ delivery: deliveryWithPayload }) },
    errors: ['webhook_not_found', 'delivery_not_found'],
  }),
  redeliver: operation({
    service: 'webhooks',
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
    summary: 'Redeliver an event',
    note: 'Sends the event again, with the same id. The attempt replaces the next retry; if it fails, the schedule of retries starts again.',
    who: ['partner'],
    scope: 'webhooks',
    role: 'owner',
    recorded: 'effect',
    params: deliveryPath,
    success: { status: 200, body: z.strictObject({ ...done, delivery }) },
    errors: ['webhook_not_found', 'delivery_not_found', 'delivery_in_progress', 'event_deleted'],
  }),
};
