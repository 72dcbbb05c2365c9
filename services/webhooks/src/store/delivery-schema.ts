import type { DeliveryStatus, WebhookEventType } from '@casewatch/contracts';
import mongoose from 'mongoose';

/** One call of an endpoint. `response`: the first 16 KiB of its answer. */
export type AttemptRow = {
  at: Date;
  status: number | null;
  ms: number;
  error: string | null;
  manual: boolean;
  location: string | null;
  response: string | null;
};

/** One event to one endpoint. */
export type DeliveryRow = {
  /** `<event id>:<webhook id>`: a second of the same cannot be. */
  _id: string;
  event_id: string;
  event: WebhookEventType;
  webhook_id: number;
  user_id: number | null;
  status: DeliveryStatus;
  attempts: AttemptRow[];
  /** Attempts begun: counted before the call, so that one that kills us counts. */
  attempt_count: number;
  /**
   * pending: when the next attempt is due; sending: when the lease of the one under way ends; else null. On the
   * database's clock.
   */
  due_at: Date | null;
  /** Who is sending. */
  claim: string | null;
  created_at: Date;
};

const keepSeconds = 30 * 24 * 60 * 60;

export const deliverySchema = new mongoose.Schema<DeliveryRow>(
  {
    _id: String,
    event_id: String,
    event: String,
    webhook_id: Number,
    user_id: Number,
    status: String,
    attempts: [
      {
        _id: false,
        at: Date,
        status: Number,
        ms: Number,
        error: String,
        manual: Boolean,
        location: String,
        response: String,
      },
    ],
    attempt_count: Number,
    due_at: Date,
    claim: String,
    created_at: Date,
  },
  { versionKey: false, id: false, collection: 'deliveries' },
);
deliverySchema.index(
  { webhook_id: 1, due_at: 1 },
  { name: 'due', partialFilterExpression: { due_at: { $gt: new Date(0) } } },
);
deliverySchema.index({ webhook_id: 1, created_at: -1, _id: -1 }, { name: 'of_webhook' });
deliverySchema.index({ user_id: 1 }, { name: 'of_user', partialFilterExpression: { user_id: { $gt: 0 } } });
deliverySchema.index({ created_at: 1 }, { name: 'expiry', expireAfterSeconds: keepSeconds });
