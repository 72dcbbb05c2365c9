import type { Channel, NotifyStatus } from '@casewatch/contracts';
import { collection } from '@casewatch/platform';
import type { NotificationFacts } from '../domain/notification-facts.ts';
import type { SkipReason } from '../domain/skip-reason.ts';

/** One channel of one StatusUpdate: `_id` is `<status_update_id>:<channel>`. */
export type NotificationRow = {
  _id: string;
  status_update_id: number;
  case_id: number;
  user_id: number;
  partner_id: number | null;
  channel: Channel;
  /** Null where nothing is to be told. */
  facts: NotificationFacts | null;
  /** When the monitor recorded the update. */
  observed_at: Date;
  status: NotifyStatus;
  reason: SkipReason | null;
  /** Submissions started; counted before the network call. */
  attempts: number;
  last_error: string | null;
  sent_at: Date | null;
  /** +1 with every announced change. */
  revision: number;
  /** When it is due, on the database's clock as all times of claims; null once it is settled. */
  next_attempt_at: Date | null;
  /** Whose the row is until then: a claimed row (pending) was not sent yet, one in `sending` may have been. */
  lease_until: Date | null;
  /** +1 with every claim: a sender that lost its claim changes nothing any more. */
  fence: number;
  /** `<case>:<channel>` while claimed; a unique index makes it one at a time. */
  in_flight?: string;
  /** The last attempt may have been accepted. */
  ambiguous: boolean;
  attempt_started_at: Date | null;
  provider_message_id: string | null;
  /** How far the provider says the message got (domain/callback.ts). */
  provider_rank: number;
  created_at: Date;
};

/** A row as it is made; a pending one is due at once. */
export type NewNotification = Omit<NotificationRow, 'next_attempt_at'>;

/** What a settled attempt, a skip or a callback changes. `dueInMs`: when it is due again, from now; null: never. */
export type NotificationChange = { dueInMs: number | null } & Partial<
  Pick<
    NotificationRow,
    | 'status'
    | 'reason'
    | 'attempts'
    | 'last_error'
    | 'sent_at'
    | 'ambiguous'
    | 'provider_message_id'
    | 'provider_rank'
  >
>;

/** A row as it must be found for a change to hold. */
export type Expected = { _id: string; status: NotifyStatus; fence: number };

const keepSeconds = 90 * 24 * 60 * 60;

export const notificationModel = collection<NotificationRow>('notifications', String, [
  { name: 'due', keys: { channel: 1, status: 1, next_attempt_at: 1 } },
  { name: 'lease', keys: { status: 1, lease_until: 1 } },
  { name: 'recipient', keys: { user_id: 1, channel: 1, sent_at: 1 } },
  {
    name: 'in_flight',
    keys: { in_flight: 1 },
    unique: true,
    partialFilterExpression: { in_flight: { $type: 'string' } },
  },
  {
    name: 'provider',
    keys: { provider_message_id: 1 },
    unique: true,
    partialFilterExpression: { provider_message_id: { $type: 'string' } },
  },
  { name: 'expiry', keys: { created_at: 1 }, expireAfterSeconds: keepSeconds },
]);

export type NotificationModel = ReturnType<typeof notificationModel>;
