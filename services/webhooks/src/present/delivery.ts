import { type Delivery, type DeliveryStatus, toIso, type WebhookEventType } from '@casewatch/contracts';

type Shown = {
  _id: string;
  event_id: string;
  event: WebhookEventType;
  status: DeliveryStatus;
  attempts: { at: Date; status: number | null; ms: number; error: string | null; manual: boolean }[];
  due_at: Date | null;
  created_at: Date;
};

/** A delivery as lists show it: without what was sent and answered. */
export function presentDelivery(row: Shown): Delivery {
  return {
    id: row._id,
    event_id: row.event_id,
    event: row.event,
    status: row.status,
    attempts: row.attempts.map(({ at, status, ms, error, manual }) => {
      return { at: toIso(at), status, ms, error, manual };
    }),
    next_attempt_at: row.status === 'pending' ? toIso(row.due_at) : null,
    created_at: toIso(row.created_at),
  };
}
