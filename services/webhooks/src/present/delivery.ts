import { type Delivery, toIso } from '@casewatch/contracts';
import type { DeliveryRow } from '../store/delivery-rows.ts';

export function presentDelivery(row: DeliveryRow): Delivery {
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
