import type { Connection } from '@casewatch/platform';
import mongoose from 'mongoose';
import type { Receipt } from '../domain/receipt.ts';

const { Mixed } = mongoose.Schema.Types;

const schema = new mongoose.Schema<Receipt>(
  {
    _id: String,
    revision: Number,
    observation: Number,
    facts: Mixed,
    facts_hash: String,
    spanish_hash: String,
    since: Date,
    past: [
      {
        _id: false,
        observation: Number,
        facts_hash: String,
        status_code: String,
        at: Date,
        kind: String,
        skip_reason: String,
      },
    ],
    state: String,
    state_since: Date,
    not_found: Mixed,
    poll_class: String,
    schedule_class: String,
    watchers: Number,
    watched_by: Number,
    new_since: Date,
    next_check_at: Date,
    last_checked: Date,
    sent: Number,
    failures: Number,
    overdue_since: Date,
    expires_at: Date,
  },
  { versionKey: false, id: false, minimize: false, collection: 'receipts' },
);
// Only watched receipts have a class: null is not greater than any string.
schema.index(
  { schedule_class: 1, next_check_at: 1 },
  { name: 'schedule', partialFilterExpression: { schedule_class: { $gt: '' } } },
);
schema.index(
  { overdue_since: 1 },
  { name: 'overdue', partialFilterExpression: { overdue_since: { $gt: new Date(0) } } },
);
schema.index({ expires_at: 1 }, { name: 'expiry', expireAfterSeconds: 0 });

export function receiptModel(db: Connection) {
  return db.model<Receipt>('receipts', schema);
}
