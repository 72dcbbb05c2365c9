import { z } from 'zod';
import { idText } from '../fields.ts';
import { operation } from '../operation.ts';
import { webhookEventFilter, webhookEventType } from '../resources/webhook.ts';
import { webhookEvent } from '../webhook-events/bodies.ts';
import { maxRows, page, paging, timeText } from './common.ts';

const eventTypeDescription = z.strictObject({
  name: webhookEventType,
  description: z.string().max(1_000),
  schema: z.record(z.string().max(64), z.unknown()),
  example: webhookEvent,
});

/** Event types, and events by polling (webhooks.md, Operations). */
export const webhookEventOperations = {
  list_event_types: operation({
    service: 'webhooks',
    method: 'GET',
    path: '/v1/webhooks/event-types',
    summary: 'List event types',
    note: 'Returns every event type with the JSON Schema and an example of its body. The example response shows the first type.',
    who: ['partner'],
    scope: 'webhooks',
    role: 'owner',
    success: {
      status: 200,
      body: z.strictObject({ event_types: z.array(eventTypeDescription).max(maxRows) }),
    },
    errors: [],
  }),
  list_events: operation({
    service: 'webhooks',
    method: 'GET',
    path: '/v1/events',
    summary: 'List events',
    note: "Returns the events of the last 30 days, oldest first unless you send `sort`, for systems that cannot receive webhooks. An event appears here about 7 seconds after it occurred. `next_cursor` is never null: store it, wait, and send it again to get the next events. `user_id` returns only events about that user and the user's cases.",
    who: ['partner'],
    scope: 'webhooks',
    role: 'owner',
    recorded: 'read',
    query: z.strictObject({
      ...paging,
      type: webhookEventFilter.optional(),
      user_id: idText.optional(),
      since: timeText.optional(),
      sort: z.enum(['at', '-at']).default('at'),
    }),
    success: {
      status: 200,
      body: z.strictObject({
        events: z.array(webhookEvent).max(maxRows),
        has_more: page.has_more,
        next_cursor: z.string().max(1_024),
      }),
    },
    errors: ['invalid_cursor'],
  }),
};
