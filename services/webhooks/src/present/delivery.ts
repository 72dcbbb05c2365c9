import {
  type CaseOfDelivery,
  type Delivery,
  type DeliveryWithPayload,
  toIso,
  userCaseId,
  type WebhookEvent,
} from '@casewatch/contracts';
import type { DeliveryRow } from '../store/delivery-rows.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { presentAttempt, presentDetailedAttempt } from './attempt.ts';
import { type Hold, planOf } from './hold.ts';

/** @param body of its event; null if that was deleted with its user */
export type DeliveryDetails = { hold: Hold; body: string | null };

/** @param details `hold`: of its endpoint */
export function presentDelivery(row: DeliveryRow, { hold, body }: DeliveryDetails): Delivery {
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
    case: body === null ? null : caseOf(body),
  };
}

export function presentDeliveryWithPayload(
  row: DeliveryRow,
  { webhook, hold, body }: DeliveryDetails & { webhook: WebhookRow },
): DeliveryWithPayload {
  const request = { eventId: row.event_id, ownHeaderNames: webhook.headers.map(({ name }) => name) };
  return {
    ...presentDelivery(row, { hold, body }),
    attempts: row.attempts.map((attempt) => presentDetailedAttempt(attempt, request)),
    payload: body === null ? null : (JSON.parse(body) as WebhookEvent),
  };
}

type DataOfCase = {
  case?: { id: number; receipt_number?: string };
  notification?: { case_id: number };
};

function caseOf(body: string): CaseOfDelivery | null {
  const { data } = JSON.parse(body) as { data: DataOfCase };
  const id = data.case?.id ?? data.notification?.case_id;
  if (id === undefined) return null;
  return { id, user_case_id: userCaseId(id), receipt_number: data.case?.receipt_number ?? null };
}
