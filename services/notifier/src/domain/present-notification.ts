import { type Channel, type NotificationUpdated, type NotifyStatus, toIso } from '@casewatch/contracts';

type Row = {
  status_update_id: number;
  case_id: number;
  user_id: number;
  partner_id: number | null;
  channel: Channel;
  revision: number;
  status: NotifyStatus;
  attempts: number;
  last_error: string | null;
  sent_at: Date | null;
};

/** A notification as `notification.updated` carries it. */
export function presentNotification(row: Row): NotificationUpdated {
  const { status_update_id, case_id, user_id, partner_id, channel, revision, status, attempts, last_error } =
    row;
  const sent_at = toIso(row.sent_at);
  return {
    status_update_id,
    case_id,
    user_id,
    partner_id,
    channel,
    revision,
    status,
    attempts,
    last_error,
    sent_at,
  };
}
