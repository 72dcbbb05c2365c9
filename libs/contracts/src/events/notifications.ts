import { z } from 'zod';
import { id, isoTime } from '../fields.ts';
import { channel, notifyStatus } from '../resources/status-update.ts';

/** How one channel of one StatusUpdate stands; the higher `revision` per channel wins. */
export const notificationUpdated = z.object({
  status_update_id: id,
  case_id: id,
  user_id: id,
  partner_id: id.nullable(),
  channel,
  revision: z.int().min(1),
  status: notifyStatus,
  attempts: z.int().min(0),
  last_error: z.string().max(300).nullable(),
  sent_at: isoTime.nullable(),
});

/** The person switched a channel off themselves (unsubscribe page, STOP). */
export const contactOptedOut = z.object({ user_id: id, channel, at: isoTime });

export type NotificationUpdated = z.infer<typeof notificationUpdated>;
