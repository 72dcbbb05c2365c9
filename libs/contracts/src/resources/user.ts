import { z } from 'zod';
import { id, isoTime, language, partnerTime, userStatus } from '../fields.ts';

const identityFields = {
  id,
  email: z.string().max(254),
  name: z.string().max(120),
  phone: z.string().max(16).nullable(),
};
const flags = { notify_by_email: z.boolean(), notify_by_whatsapp: z.boolean() };

/** U9, the user of PUT /v1/users/{user_id}: no preferred_language, no email_verified_at (specification §4). */
export const userOfUpdate = z.strictObject({
  ...identityFields,
  ...flags,
  status: userStatus,
  created_at: isoTime,
  updated_at: isoTime,
});

/** U11 with ISO times: the user of write responses and of the non-partner reads. */
export const user = z.strictObject({
  ...identityFields,
  preferred_language: language,
  email_verified_at: isoTime.nullable(),
  ...flags,
  status: userStatus,
  created_at: isoTime,
  updated_at: isoTime,
});

/** U11 with partner times: an element of GET /v1/client/users. */
export const partnerUser = user.extend({
  email_verified_at: partnerTime.nullable(),
  created_at: partnerTime,
  updated_at: partnerTime,
});

/** The single partner read: U11 and `partner_name` (specification §2). */
export const partnerUserWithName = partnerUser.extend({ partner_name: z.string().max(120) });

/** The user embedded in a case (specification §2, Case). */
export const embeddedUser = z.strictObject({
  ...identityFields,
  status: userStatus,
  preferred_language: language,
});

/** What lists of a partner show of a case's user. */
export const namedUser = embeddedUser.pick({ id: true, name: true, email: true });

/** interface.md §3; every key is always present. */
export const verificationDelivery = z.strictObject({
  channel: z.literal('email'),
  status: z.enum(['queued', 'sent', 'failed', 'skipped']),
  reason: z.string().max(40).nullable(),
  // The longest address plus three characters of the mask.
  to: z.string().max(257),
  attempts: z.int(),
  last_error: z.string().max(300).nullable(),
  queued_at: isoTime.nullable(),
  sent_at: isoTime.nullable(),
  expires_at: isoTime.nullable(),
  resend_available_at: isoTime.nullable(),
});

export type User = z.infer<typeof user>;
export type UserOfUpdate = z.infer<typeof userOfUpdate>;
export type PartnerUser = z.infer<typeof partnerUser>;
export type EmbeddedUser = z.infer<typeof embeddedUser>;
export type NamedUser = z.infer<typeof namedUser>;
export type VerificationDelivery = z.infer<typeof verificationDelivery>;
