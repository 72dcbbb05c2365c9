import { z } from 'zod';
import { id, isoTime, partnerTime } from '../fields.ts';
import { webhookEvent } from '../webhook-events/bodies.ts';
import { changedCase } from './case.ts';
import { webhookEventType } from './webhook.ts';

export const deliveryStatus = z.enum(['pending', 'sending', 'delivered', 'failed', 'cancelled']);

/** Why a delivery is cancelled, or is pending without a next attempt. */
export const deliveryReason = z.enum([
  'endpoint_gone',
  'endpoint_deleted',
  'user_deleted',
  'endpoint_disabled',
  'endpoint_inactive',
  'partner_suspended',
]);

export const deliveryAttempt = z.strictObject({
  at: isoTime,
  status: z.int().nullable().describe('HTTP status of the response, or null.'),
  ms: z.int(),
  error: z.string().nullable(),
  message: z.string().max(4_096).nullable(),
  manual: z.boolean(),
});

/** `response`: the first 4 KiB. */
export const detailedAttempt = deliveryAttempt.extend({
  request_headers: z.record(z.string().max(64), z.string().max(1_024)),
  response: z.string().max(4_096).nullable(),
});

/** `receipt_number` is null where the event has none: a notification, the deletion of the case. */
const caseOfDelivery = changedCase
  .pick({ id: true, user_case_id: true, receipt_number: true })
  .extend({ receipt_number: changedCase.shape.receipt_number.nullable() });

/**
 * webhooks.md, Small print. `case`: of the event; null for an event of something else, and for one that was deleted with its user.
 */
export const delivery = z.strictObject({
  id: z.string().max(64),
  event_id: z.string().max(64),
  event: webhookEventType,
  status: deliveryStatus,
  reason: deliveryReason.nullable(),
  attempts: z.array(deliveryAttempt),
  next_attempt_at: isoTime.nullable(),
  created_at: isoTime,
  case: caseOfDelivery.nullable(),
});

/** `payload` is null if the event was deleted with its user. */
export const deliveryWithPayload = delivery.extend({
  attempts: z.array(detailedAttempt),
  payload: webhookEvent.nullable(),
});

/** A delivery of a status update. `last_status` and `last_error`: of the last attempt. */
export const caseDelivery = z.strictObject({
  id: z.string().max(64),
  webhook_id: id,
  status_update_id: id,
  event_id: z.string().max(64),
  status: deliveryStatus,
  reason: deliveryReason.nullable(),
  attempt_count: z.int().min(0),
  last_status: z.int().nullable(),
  last_error: z.string().max(300).nullable(),
  next_attempt_at: partnerTime.nullable(),
  created_at: partnerTime,
});

export type CaseDelivery = z.infer<typeof caseDelivery>;
export type CaseOfDelivery = z.infer<typeof caseOfDelivery>;
export type Delivery = z.infer<typeof delivery>;
export type DeliveryReason = z.infer<typeof deliveryReason>;
export type DeliveryStatus = z.infer<typeof deliveryStatus>;
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>;
export type DetailedAttempt = z.infer<typeof detailedAttempt>;
export type DeliveryWithPayload = z.infer<typeof deliveryWithPayload>;
