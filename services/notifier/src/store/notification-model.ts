import type { Channel, NotifyStatus } from '@casewatch/contracts';
import { collection } from '@casewatch/platform/database';
import type { NotificationFacts } from '../domain/notification-facts.ts';
import { type SkipReason, suppressedReasons } from '../domain/skip-reason.ts';

export type NotificationRow = {
  /** `<status_update_id>:<channel>` */
  _id: string;
  status_update_id: number;
  case_id: number;
  user_id: number;
  partner_id: number | null;
  channel: Channel;
  facts: NotificationFacts | null;
  observed_at: Date;
  status: NotifyStatus;
  reason: SkipReason | null;
  attempts: number;
  /** Attempts before an operator's replay. */
  attempts_before?: number;
  last_error: string | null;
  /** The provider's own words on `last_error`. They never leave this row, which is erased with the person. */
  provider_text?: string | null;
  sent_at: Date | null;
  /** +1 with every `notification.updated`. */
  revision: number;
  /** Null when settled. Times of claims are on the database's clock. */
  next_attempt_at: Date | null;
  /** Since when it waits: its creation, or the end of what held it. Attempts do not move it. Absent if it never was pending. */
  unsent_since?: Date;
  /** End of the claim. A `pending` row with a claim was not sent; a `sending` row may have been. */
  lease_until: Date | null;
  fence: number;
  /** Token of the latest attempt. */
  claim?: string;
  /** Not delayed by a digest. */
  urgent: boolean;
  /** Was delayed for a digest, the cap or quiet hours, or until it was confirmed: does not become stale. */
  held?: boolean;
  /** The latest message, if it has several updates. */
  digest?: string | null;
  /** Template and version of the latest message: `status_mail@7`. */
  template?: string | null;
  /** Of the event, for the trace of the message. */
  request_id: string;
  traceparent: string;
  /** The provider may have accepted the last attempt. */
  ambiguous: boolean;
  attempt_started_at: Date | null;
  /** When the latest attempt was about to be submitted: just before the final dot of a mail, or the call of Twilio. */
  submitted_at?: Date | null;
  /** The mail server accepted the attempt with this claim. Stored before the result, so that a kill between them doubles nothing. */
  accepted?: { claim: string; at: Date; template: string };
  provider_message_id: string | null;
  provider_rank: number;
  /** Look-ups at the provider after the message was accepted. */
  polls?: number;
  created_at: Date;
};

export type NewNotification = Omit<NotificationRow, 'next_attempt_at' | 'unsent_since'>;

/** `dueInMs`: time until the next attempt; null if settled. */
export type NotificationChange = { dueInMs: number | null } & Partial<
  Pick<
    NotificationRow,
    | 'facts'
    | 'status'
    | 'reason'
    | 'attempts'
    | 'last_error'
    | 'provider_text'
    | 'sent_at'
    | 'ambiguous'
    | 'provider_message_id'
    | 'provider_rank'
    | 'template'
    | 'held'
    | 'attempts_before'
  >
>;

/** What a change expects of its row: no other change came in between. */
export type Expected = Pick<NotificationRow, '_id' | 'status' | 'fence' | 'revision'>;

const keepSeconds = 90 * 24 * 60 * 60;

export const notificationModel = collection<NotificationRow>('notifications', String, [
  { name: 'due', keys: { channel: 1, status: 1, next_attempt_at: 1 } },
  {
    name: 'unsent',
    keys: { channel: 1, unsent_since: 1 },
    partialFilterExpression: { status: { $in: ['pending', 'sending'] } },
  },
  { name: 'lease', keys: { status: 1, lease_until: 1 } },
  { name: 'recipient', keys: { user_id: 1, channel: 1, sent_at: 1 } },
  {
    name: 'unreported',
    keys: { sent_at: 1 },
    partialFilterExpression: { channel: 'whatsapp', status: 'sent' },
  },
  {
    name: 'open',
    keys: { user_id: 1, channel: 1 },
    partialFilterExpression: { status: { $in: ['pending', 'sending'] } },
  },
  {
    name: 'provider_message',
    keys: { provider_message_id: 1 },
    unique: true,
    partialFilterExpression: { provider_message_id: { $gt: '' } },
  },
  {
    name: 'failed_of_partner',
    keys: { partner_id: 1, created_at: -1 },
    partialFilterExpression: { status: 'failed' },
  },
  {
    name: 'suppressed_of_partner',
    keys: { partner_id: 1, created_at: -1 },
    partialFilterExpression: { reason: { $in: [...suppressedReasons] } },
  },
  { name: 'expiry', keys: { created_at: 1 }, expireAfterSeconds: keepSeconds },
]);

export type NotificationModel = ReturnType<typeof notificationModel>;
