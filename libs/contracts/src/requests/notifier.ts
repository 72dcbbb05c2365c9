import { z } from 'zod';
import { id, isoTime, language } from '../fields.ts';

const common = {
  /** Names the mail: the same id sent again is the same mail, and is not sent twice. */
  message_id: z.string().min(8).max(128),
  to: z.string().max(254),
  language,
  expires_at: isoTime,
};

/** A mail that does not belong to a StatusUpdate. It holds no text that a caller typed (notifier.md). */
export const sendRequest = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('login_code'), code: z.string().regex(/^\d{6}$/) }),
  z.object({ ...common, kind: z.literal('verify_email'), link: z.url(), user_id: id }),
  z.object({ ...common, kind: z.literal('address_changed'), link: z.url(), user_id: id }),
  z.object({ ...common, kind: z.literal('address_taken'), user_id: id }),
  /** To the new address of a change that a person asked for; the link's page confirms it. */
  z.object({ ...common, kind: z.literal('confirm_new_address'), link: z.url(), user_id: id }),
  /** To the present address of that change; the link's page allows the change, or stops it. */
  z.object({ ...common, kind: z.literal('address_change_asked'), link: z.url(), user_id: id }),
]);

/** Accepted means stored: it is sent, or expires, even if the notifier stops now. */
export const sendReply = z.object({ accepted: z.literal(true) });

export type SendRequest = z.infer<typeof sendRequest>;
