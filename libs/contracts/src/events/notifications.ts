import { z } from 'zod';
import { id, isoTime } from '../fields.ts';
import { unknownValues } from '../reading/unknown-values.ts';
import { monitoringState } from '../resources/case.ts';
import { alertStatus, channel, notifyStatus } from '../resources/status-update.ts';

/** `other`: a channel that this release does not know; never written. */
const messageChannel = z.enum([...channel.options, 'other']).register(unknownValues, { readAs: 'other' });

/** State of one channel of a status update; the highest `revision` per channel wins. */
export const notificationUpdated = z.object({
  status_update_id: id,
  case_id: id,
  user_id: id,
  partner_id: id.nullable(),
  channel: messageChannel,
  revision: z.int().min(1),
  status: notifyStatus,
  attempts: z.int().min(0),
  last_error: z.string().max(300).nullable(),
  sent_at: isoTime.nullable(),
});

/** The user opted out (unsubscribe page, STOP). */
export const contactOptedOut = z.object({ user_id: id, channel: messageChannel, at: isoTime });

/**
 * State of what a member of staff is told of a change by an immediate mail; the highest `revision` per change and member wins. The change
 * is a status update, or a state of the monitoring of its case.
 */
export const alertUpdated = z.object({
  status_update_id: id.nullable(),
  monitoring: z.object({ state: monitoringState, since: isoTime }).nullable().default(null),
  case_id: id,
  staff_id: id,
  status: alertStatus,
  sent_at: isoTime.nullable(),
  revision: z.int().min(1),
});

/** A member of staff turned the own mails off with the link in one. `at`: on the database's clock. */
export const staffOptedOut = z.object({ staff_id: id, at: isoTime });

export type NotificationUpdated = z.infer<typeof notificationUpdated>;
