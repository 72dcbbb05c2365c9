import { type NotificationUpdated, toIso } from '@casewatch/contracts';
import type { NewNotification } from '../store/notification-model.ts';

export function presentNotification(row: NewNotification): NotificationUpdated {
  return {
    status_update_id: row.status_update_id,
    case_id: row.case_id,
    user_id: row.user_id,
    partner_id: row.partner_id,
    channel: row.channel,
    revision: row.revision,
    status: row.status,
    attempts: row.attempts,
    last_error: row.last_error,
    sent_at: toIso(row.sent_at),
  };
}
