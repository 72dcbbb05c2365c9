import { type Delivery, type DeliveryWithPayload, toIso, type WebhookEvent } from '@casewatch/contracts';
import type { DeliveryRow } from '../store/delivery-rows.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { presentAttempt, presentDetailedAttempt } from './attempt.ts';

export function presentDelivery(row: DeliveryRow): Delivery {
  return {
    id: row._id,
    event_id: row.event_id,
    event: row.event,
    status: row.status,
    attempts: row.attempts.map(presentAttempt),
    next_attempt_at: row.status === 'pending' ? toIso(row.due_at) : null,
    created_at: toIso(row.created_at),
  };
}

/** @param body of the event; null if it was deleted with its user */
export function presentDeliveryWithPayload(
  row: DeliveryRow,
  webhook: WebhookRow,
  body: string | null,
): DeliveryWithPayload {
  const request = { eventId: row.event_id, ownHeaderNames: webhook.headers.map(({ name }) => name) };
  return {
    ...presentDelivery(row),
    attempts: row.attempts.map((attempt) => presentDetailedAttempt(attempt, request)),
    payload: body === null ? null : (JSON.parse(body) as WebhookEvent),
  };
}
