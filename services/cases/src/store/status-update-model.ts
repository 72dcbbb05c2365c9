import type { NotifyStatus } from '@casewatch/contracts';
import type { Connection } from '@casewatch/platform';
import mongoose from 'mongoose';
import type { Observed } from '../domain/observed.ts';
import { observedFields } from './observed-fields.ts';

/** The notify fields of a StatusUpdate; the revisions are the notifier's, 0 before its first word. */
export type NotifyRow = {
  notified: 0 | 1;
  email_notify_status: NotifyStatus;
  whatsapp_notify_status: NotifyStatus;
  email_notify_attempts: number;
  whatsapp_notify_attempts: number;
  email_notify_last_error: string | null;
  whatsapp_notify_last_error: string | null;
  email_notify_sent_at: Date | null;
  whatsapp_notify_sent_at: Date | null;
  email_notify_revision: number;
  whatsapp_notify_revision: number;
};

/** One row of `status_updates`. Until it is whole (only a notification came yet) its `observation` is missing. */
export type StatusUpdateRow = Observed & NotifyRow & { _id: number; case_id: number };

const schema = new mongoose.Schema<StatusUpdateRow>(
  {
    _id: Number,
    case_id: Number,
    ...observedFields,
    notified: Number,
    email_notify_status: String,
    whatsapp_notify_status: String,
    email_notify_attempts: Number,
    whatsapp_notify_attempts: Number,
    email_notify_last_error: String,
    whatsapp_notify_last_error: String,
    email_notify_sent_at: Date,
    whatsapp_notify_sent_at: Date,
    email_notify_revision: Number,
    whatsapp_notify_revision: Number,
  },
  { versionKey: false, id: false, collection: 'status_updates' },
);
schema.index({ case_id: 1, observation: -1, _id: -1 }, { name: 'of_case' });

export function statusUpdateModel(db: Connection) {
  return db.model<StatusUpdateRow>('status_updates', schema);
}
