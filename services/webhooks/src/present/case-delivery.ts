import { type CaseDelivery, toPartnerTime } from '@casewatch/contracts';
import type { DeliveryRow } from '../store/delivery-rows.ts';

export function presentCaseDelivery(row: DeliveryRow, statusUpdateId: number): CaseDelivery {
  const last = row.attempts.at(-1);
  return {
    id: row._id,
    webhook_id: row.webhook_id,
    status_update_id: statusUpdateId,
    event_id: row.event_id,
    status: row.status,
    attempt_count: row.attempts.length,
    last_status: last?.status ?? null,
    last_error: last?.error ?? null,
    next_attempt_at: row.status === 'pending' ? toPartnerTime(row.due_at) : null,
    created_at: toPartnerTime(row.created_at),
  };
}
