import { z } from 'zod';
import { isoTime } from '../fields.ts';
import { type WebhookEventType, webhookEventTypes } from '../resources/webhook.ts';
import { occurredAt } from './examples.ts';
import { webhookEvents } from './registry.ts';

const exampleId = 'evt_019a5c7e-3b1d-7c52-8f60-2d41c09ab8e7';

/** `evt_` and the id of the event; `evt_test_` for an event that only a test sends. */
export const webhookEventId = z
  .string()
  .max(64)
  .regex(/^evt_[0-9a-z_-]+$/)
  .meta({ examples: [exampleId] });

type Body = ReturnType<typeof bodyOf>;

/** The schema of the body of each event. */
export const webhookEventBodies = Object.fromEntries(
  webhookEventTypes.map((type) => [type, bodyOf(type)]),
) as Record<WebhookEventType, Body>;

/** Any event. */
export const webhookEvent = z.union(Object.values(webhookEventBodies) as [Body, ...Body[]]);

export type WebhookEvent = z.infer<typeof webhookEvent>;

/** An example of the body of an event. */
export function webhookEventExample(type: WebhookEventType): WebhookEvent {
  return {
    id: exampleId,
    type,
    timestamp: occurredAt,
    data: webhookEvents[type].example,
  };
}

function bodyOf(type: WebhookEventType) {
  const data: z.ZodObject = webhookEvents[type].data;
  return z.strictObject({ id: webhookEventId, type: z.literal(type), timestamp: isoTime, data });
}
