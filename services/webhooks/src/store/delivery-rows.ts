import type { DeliveryReason, DeliveryStatus, WebhookEventType } from '@casewatch/contracts';
import { collection } from '@casewatch/platform/database';

export type AttemptRow = {
  at: Date;
  status: number | null;
  ms: number;
  error: string | null;
  manual: boolean;
  location: string | null;
  /** What exactly happened, if the error does not say it. */
  cause?: string | null;
  response: string | null;
};

export type CancelReason = Extract<DeliveryReason, 'endpoint_gone' | 'endpoint_deleted' | 'user_deleted'>;

export type DeliveryRow = {
  /** `<event id>:<webhook id>` */
  _id: string;
  event_id: string;
  event: WebhookEventType;
  webhook_id: number;
  user_id: number | null;
  status: DeliveryStatus;
  /** Of `cancelled`. */
  reason?: CancelReason;
  attempts: AttemptRow[];
  /** Counted before the call, so that an attempt that kills the process counts. */
  attempt_count: number;
  /** `pending`: next attempt; `sending`: end of the claim; else null. On the database's clock. */
  due_at: Date | null;
  claim: string | null;
  /** The next attempt was requested by hand. `attempt_count` began again at 0, so this attempt is number 1. */
  manual?: boolean;
  replay_id?: number;
  created_at: Date;
};

const keepSeconds = 30 * 24 * 60 * 60;

export const deliveries = collection<DeliveryRow>('deliveries', String, [
  {
    name: 'due',
    keys: { webhook_id: 1, due_at: 1 },
    partialFilterExpression: { due_at: { $gt: new Date(0) } },
  },
  { name: 'of_webhook', keys: { webhook_id: 1, created_at: -1, _id: -1 } },
  // Not for the states of every delivery, so that a delivery that succeeds immediately costs no index key.
  {
    name: 'of_status',
    keys: { webhook_id: 1, status: 1, created_at: -1, _id: -1 },
    partialFilterExpression: { status: { $in: ['pending', 'failed', 'cancelled'] } },
  },
  { name: 'of_event', keys: { webhook_id: 1, event: 1, created_at: -1, _id: -1 } },
  { name: 'of_user', keys: { user_id: 1 }, partialFilterExpression: { user_id: { $gt: 0 } } },
  { name: 'expiry', keys: { created_at: 1 }, expireAfterSeconds: keepSeconds },
]);

export type DeliveryModel = ReturnType<typeof deliveries>;

/** Matches the rows of the index `due`. */
export const anyTime = { $gt: new Date(0) };
