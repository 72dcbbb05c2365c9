import { z } from 'zod';
import { id, isoTime, language } from '../fields.ts';

const common = {
  /** Idempotency key: a mail is sent once per id. */
  message_id: z.string().min(8).max(128),
  to: z.string().max(254),
  language,
  expires_at: isoTime,
};

/** Contains no text that a caller typed (notifier.md). */
export const sendRequest = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('login_code'), code: z.string().regex(/^\d{6}$/) }),
  z.object({ ...common, kind: z.literal('verify_email'), link: z.url(), user_id: id }),
  z.object({ ...common, kind: z.literal('address_changed'), link: z.url(), user_id: id }),
  z.object({ ...common, kind: z.literal('address_taken'), user_id: id }),
  /** To the new address: the link confirms the change. */
  z.object({ ...common, kind: z.literal('confirm_new_address'), link: z.url(), user_id: id }),
  /** To the current address: the link allows or stops the change. */
  z.object({ ...common, kind: z.literal('address_change_asked'), link: z.url(), user_id: id }),
]);

/** Accepted means stored. */
export const sendReply = z.object({ accepted: z.literal(true) });

export type SendRequest = z.infer<typeof sendRequest>;
