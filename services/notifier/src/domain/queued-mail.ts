import {
  arrivalMailRequest,
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

/** The content of a mail that waits in `mails`: that of the request, whose name or `kind` says which mail it is. */
export const queuedMail = z.discriminatedUnion('kind', [
  ...sendRequest.options,
  staffMailRequest,
  replyToMailRequest,
  arrivalMailRequest,
  deletionMailRequest,
  endpointFailingRequest.extend({ kind: z.literal('endpoint_failing') }),
  stopConfirmation,
]);

export type QueuedMail = z.infer<typeof queuedMail>;
/** What other services ask for. */
export type RequestedMail = Exclude<QueuedMail, StopConfirmation>;
export type StopConfirmation = z.infer<typeof stopConfirmation>;
