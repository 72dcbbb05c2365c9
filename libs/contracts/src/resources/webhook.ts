import { z } from 'zod';
import { id, isoTime } from '../fields.ts';

/** What an endpoint can subscribe to (webhooks.md, Events). */
export const webhookEventTypes = [
  'case.created',
  'case.updated',
  'case.deleted',
  'case.status_updated',
  'case.monitoring_changed',
  'case.check_overdue',
  'user.created',
  'user.updated',
  'user.email_verified',
  'user.deleted',
  'notification.sent',
  'notification.failed',
  'import.finished',
  'webhook.ping',
  'webhook.disabled',
] as const;

export const webhookEventType = z.enum(webhookEventTypes);

/** A name, a family such as `case.*`, or `*`. */
export const webhookEventFilter = z.union([
  webhookEventType,
  z.enum(['*', 'case.*', 'user.*', 'notification.*', 'import.*', 'webhook.*']),
]);

/** `headers` contains only names (webhooks.md). */
export const webhook = z.strictObject({
  id,
  url: z.string().max(2_048),
  events: z.array(webhookEventFilter).max(20),
  description: z.string().max(255),
  active: z.boolean(),
  headers: z.array(z.string().max(64)).max(10),
  rate_limit: z.int(),
  created_at: isoTime,
  updated_at: isoTime,
  last_delivery_at: isoTime.nullable(),
  last_status: z.int().nullable(),
  failing_since: isoTime.nullable(),
  disabled_at: isoTime.nullable(),
  disabled_reason: z.string().nullable(),
});

/** Success rate of 24 h, 0 to 1; null without deliveries. */
export const webhookWithRate = webhook.extend({ success_rate_24h: z.number().min(0).max(1).nullable() });

/** `whsec_` and base64 of 32 bytes. Null if the response is replayed: a secret is shown once (interface.md §1). */
export const webhookWithSecret = webhook.extend({ secret: z.string().max(100).nullable() });

export type WebhookEventType = z.infer<typeof webhookEventType>;
export type WebhookEventFilter = z.infer<typeof webhookEventFilter>;
export type Webhook = z.infer<typeof webhook>;
