import type { Channel, PersonWith } from '@casewatch/contracts';
import { parsePhoneNumberFromString } from 'libphonenumber-js';
import {
  type AddressReason,
  type AddressSuppression,
  isAddressProven,
  isOver,
  type Suppression,
} from './suppression.ts';

/** Why a notification is not sent (notifier.md). */
export type SkipReason =
  | 'baseline'
  | 'no_content_change'
  | 'flap'
  | 'held'
  | 'other'
  | 'user_deleted'
  | 'user_inactive'
  | 'case_inactive'
  | 'channel_disabled'
  | 'no_address'
  | 'invalid_phone'
  | 'no_whatsapp_consent'
  | 'email_unverified'
  | 'suppressed_unsubscribed'
  | `suppressed_${AddressReason}`
  | 'channel_not_configured'
  | 'template_unavailable'
  | 'stale';

/** Reasons that stay until the person or the address changes. */
export const suppressedReasons = [
  'suppressed_unsubscribed',
  'suppressed_hard_bounce',
  'suppressed_complaint',
  'suppressed_opt_out',
] as const satisfies readonly SkipReason[];

const sentences: Record<SkipReason, string> = {
  baseline: 'the first state of a new case',
  no_content_change: 'the text did not change',
  flap: 'the status returned to its previous value',
  held: 'many cases changed in the same way; an operator decides',
  other: 'notifications are suppressed for this update',
  user_deleted: 'the user was deleted',
  user_inactive: 'the user is not active',
  case_inactive: 'the case is not active',
  channel_disabled: 'the user turned this channel off',
  no_address: 'the user has no address on this channel',
  invalid_phone: 'the phone number is not valid',
  no_whatsapp_consent: 'no consent to WhatsApp is recorded',
  email_unverified: 'the e-mail address is not verified',
  suppressed_unsubscribed: 'the person unsubscribed from this channel',
  suppressed_hard_bounce: 'the address does not accept messages',
  suppressed_complaint: 'the person reported a message as spam',
  suppressed_opt_out: 'the person answered STOP',
  channel_not_configured: 'this channel is not set up',
  template_unavailable: 'there is no template in the language of the user',
  stale: 'the update is older than 72 hours',
};

export function skipError(reason: SkipReason): string {
  return `${reason}: ${sentences[reason]}`;
}

const staleAfterMs = 72 * 60 * 60 * 1000;

export function addressOf(user: PersonWith<'email' | 'phone'>, channel: Channel): string | null {
  return channel === 'email' ? user.email || null : user.phone;
}

/** What deciding about messages, and writing them, needs of a person. */
export const recipientFields = [
  'partner_id',
  'email',
  'phone',
  'status',
  'preferred_language',
  'notify_by_email',
  'notify_by_whatsapp',
  'whatsapp_consent_at',
  'email_verified_at',
  'updated_at',
  'partner_name',
  'partner_logo_url',
  'partner_notify_unverified',
  'partner_case_url',
  'partner_reply_to',
  'partner_support_contact',
  'partner_time_zone',
] as const;

export type RecipientUser = PersonWith<(typeof recipientFields)[number]>;

type SendFacts = {
  /** Null if the user is deleted. */
  user: RecipientUser | null;
  /** False also if the case is deleted. */
  caseActive: boolean;
  channel: Channel;
  suppression: Suppression | null;
  blocked: AddressSuppression | null;
  configured: boolean;
  hasTemplate: boolean;
  isStale: boolean;
};

/** The first reason in the order of notifier.md; null to send. */
export function skipReason(facts: SendFacts): SkipReason | null {
  const { user, channel } = facts;
  if (!user) return 'user_deleted';
  if (user.status !== 'active') return 'user_inactive';
  if (!facts.caseActive) return 'case_inactive';
  const contactReason = channel === 'email' ? emailReason(user) : whatsappReason(user);
  if (contactReason) return contactReason;
  // For both channels: address and phone may belong to another person than the applicant.
  if (user.email_verified_at === null && !user.partner_notify_unverified) return 'email_unverified';
  if (facts.suppression && !isOver(facts.suppression, user, channel)) return 'suppressed_unsubscribed';
  if (facts.blocked && !(channel === 'email' && isAddressProven(facts.blocked, user.email_verified_at)))
    return `suppressed_${facts.blocked.reason}`;
  if (!facts.configured) return 'channel_not_configured';
  if (!facts.hasTemplate) return 'template_unavailable';
  return facts.isStale ? 'stale' : null;
}

export function isStale(observedAt: Date, now: Date): boolean {
  return now.getTime() - observedAt.getTime() > staleAfterMs;
}

function emailReason(user: RecipientUser): SkipReason | null {
  if (!user.notify_by_email) return 'channel_disabled';
  return user.email === '' ? 'no_address' : null;
}

function whatsappReason(user: RecipientUser): SkipReason | null {
  if (!user.notify_by_whatsapp) return 'channel_disabled';
  if (user.phone === null) return 'no_address';
  if (!parsePhoneNumberFromString(user.phone)?.isValid()) return 'invalid_phone';
  return user.whatsapp_consent_at === null ? 'no_whatsapp_consent' : null;
}
