import {
  arrivalMailRequest,
  dayText,
  deletionMailRequest,
  endpointFailingRequest,
  id,
  isoTime,
  replyToMailRequest,
  sendRequest,
  staffMailRequest,
} from '@casewatch/contracts';
import { z } from 'zod';

/** Our WhatsApp answer to a stop word, which waits in `mails`, too. `to`: the number. `user_ids`: whose number it may be. */
const stopConfirmation = z.object({
  kind: z.literal('stop_confirmation'),
  message_id: z.string(),
  to: z.string(),
  user_ids: z.array(id).min(1),
  expires_at: isoTime,
});

/** What a member of a firm's staff, or the firm itself (`staff_id` null), hears immediately: its alerts name the mail. */
const memberAlerts = z.object({
  kind: z.literal('member_alerts'),
  message_id: z.string(),
  partner_id: id,
  staff_id: id.nullable(),
});

/** The digest of a member on a day of the member's zone. */
const memberDigest = z.object({
  kind: z.literal('member_digest'),
  message_id: z.string(),
  partner_id: id,
  staff_id: id,
  day: dayText,
});

/** The content of a mail that waits in `mails`: that of the request, whose name or `kind` says which mail it is. */
export const queuedMail = z.discriminatedUnion('kind', [
  ...sendRequest.options,
  staffMailRequest,
  replyToMailRequest,
  arrivalMailRequest,
  deletionMailRequest,
  endpointFailingRequest.extend({ kind: z.literal('endpoint_failing') }),
  stopConfirmation,
  memberAlerts,
  memberDigest,
]);

export type QueuedMail = z.infer<typeof queuedMail>;
/** What other services ask for. */
export type RequestedMail = Exclude<QueuedMail, StopConfirmation | MemberAlerts | MemberDigestMail>;
export type MemberAlerts = z.infer<typeof memberAlerts>;
export type MemberDigestMail = z.infer<typeof memberDigest>;
export type StopConfirmation = z.infer<typeof stopConfirmation>;
