import type { Connection } from '@casewatch/platform';
import mongoose from 'mongoose';
import type { WatchFacts } from '../domain/monitoring.ts';
import type { Observed } from '../domain/observed.ts';
import { observedFields } from './observed-fields.ts';

/** One row of `cases`. Its `user_case_id` follows from its id. */
export type CaseRow = WatchFacts & {
  _id: number;
  user_id: number;
  partner_id: number | null;
  receipt_number: string;
  description: string;
  /** Whether its owner wants it monitored; `watched` adds that the user is active. */
  active: boolean;
  /** +1 with each change that `case.updated` tells. */
  version: number;
  created_at: Date;
  /** The later of the latest update's time and the last change by a caller (`updated_since`). */
  updated_at: Date;
  update_count: number;
  latest_update: (Observed & { id: number }) | null;
  uscis_access_acknowledged_at: Date;
  uscis_access_ack_version: string;
  /** Counts the transactions that hang something on the case, so that none runs beside its erasure. */
  attachments: number;
};

const latestUpdate = new mongoose.Schema({ id: Number, ...observedFields }, { _id: false, id: false });

const monitoring = new mongoose.Schema(
  { state: String, since: Date, next_check_at: Date, revision: Number },
  { _id: false, id: false },
);

const schema = new mongoose.Schema<CaseRow>(
  {
    _id: Number,
    user_id: Number,
    partner_id: Number,
    receipt_number: String,
    description: String,
    active: Boolean,
    watched: Boolean,
    watched_since: Date,
    version: Number,
    created_at: Date,
    updated_at: Date,
    last_checked: Date,
    overdue_since: Date,
    update_count: Number,
    latest_update: latestUpdate,
    monitoring,
    uscis_access_acknowledged_at: Date,
    uscis_access_ack_version: String,
    attachments: Number,
  },
  { versionKey: false, id: false, collection: 'cases' },
);

/** Name of the index that decides doubles (architecture.md §4). */
export const oneActiveIndex = 'one_active_per_receipt';

schema.index(
  { user_id: 1, receipt_number: 1 },
  { name: oneActiveIndex, unique: true, partialFilterExpression: { active: true } },
);
// One index per order of the partner's list, ending in the id that breaks ties.
schema.index({ partner_id: 1, created_at: 1, _id: 1 }, { name: 'by_creation' });
schema.index({ partner_id: 1, last_checked: 1, _id: 1 }, { name: 'by_check' });
schema.index(
  { partner_id: 1, 'latest_update.category': 1, created_at: 1, _id: 1 },
  { name: 'by_category_and_creation' },
);
schema.index({ partner_id: 1, updated_at: 1 }, { name: 'by_change' });
schema.index({ partner_id: 1, receipt_number: 1 }, { name: 'by_receipt' });
schema.index({ partner_id: 1, active: 1 }, { name: 'by_activity' });
schema.index({ user_id: 1, watched: 1 }, { name: 'by_user' });
schema.index({ user_id: 1, created_at: 1, _id: 1 }, { name: 'by_user_and_creation' });

export function caseModel(db: Connection) {
  return db.model<CaseRow>('cases', schema);
}
