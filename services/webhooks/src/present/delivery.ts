import { type Delivery, type DeliveryWithPayload, toIso, type WebhookEvent } from '@casewatch/contracts';
import type { DeliveryRow } from '../store/delivery-rows.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { presentAttempt, presentDetailedAttempt } from './attempt.ts';
import { type Hold, planOf } from './hold.ts';

/** @param hold of its endpoint */
export function presentDelivery(row: DeliveryRow, hold: Hold): Delivery {
  const { reason, nextAt } = planOf(row, hold);
  return {
    id: row._id,
    event_id: row.event_id,
    event: row.event,
    status: row.status,
    reason,
    attempts: row.attempts.map(presentAttempt),
    next_attempt_at: toIso(nextAt),
    created_at: toIso(row.created_at),
  };
}

type Details = { webhook: WebhookRow; hold: Hold; body: string | null };

/** @param details `body`: of the event; null if it was deleted with its user */
export function presentDeliveryWithPayload(
  row: DeliveryRow,
  { webhook, hold, body }: Details,
): DeliveryWithPayload {
  const request = { eventId: row.event_id, ownHeaderNames: webhook.headers.map(({ name }) => name) };
  return {
    ...presentDelivery(row, hold),
    attempts: row.attempts.map((attempt) => presentDetailedAttempt(attempt, request)),
    payload: body === null ? null : (JSON.parse(body) as WebhookEvent),
  };
}
