import { type CaseDelivery, toPartnerTime } from '@casewatch/contracts';
import type { DeliveryRow } from '../store/delivery-rows.ts';
import { type Hold, planOf } from './hold.ts';

export function presentCaseDelivery(row: DeliveryRow, statusUpdateId: number, hold: Hold): CaseDelivery {
  const { reason, nextAt } = planOf(row, hold);
  const last = row.attempts.at(-1);
  return {
    id: row._id,
    webhook_id: row.webhook_id,
    status_update_id: statusUpdateId,
    event_id: row.event_id,
    status: row.status,
    reason,
    attempt_count: row.attempts.length,
    last_status: last?.status ?? null,
    last_error: last?.error ?? null,
    next_attempt_at: nextAt && toPartnerTime(nextAt),
    created_at: toPartnerTime(row.created_at),
  };
}
