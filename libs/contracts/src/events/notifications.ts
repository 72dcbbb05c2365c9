import { z } from 'zod';
import { id, isoTime } from '../fields.ts';
import { unknownValues } from '../reading/unknown-values.ts';
import { channel, notifyStatus } from '../resources/status-update.ts';

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

export type NotificationUpdated = z.infer<typeof notificationUpdated>;
