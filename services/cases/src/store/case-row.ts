import type { WatchFacts } from '../domain/monitoring.ts';
import type { Observed } from '../domain/observed.ts';

export type CaseRow = WatchFacts & {
  _id: number;
  user_id: number;
  partner_id: number | null;
  receipt_number: string;
  description: string;
  /** The user wants the case to be monitored; `watched` also requires an active user. */
  active: boolean;
  /** +1 with each `case.updated`. */
  version: number;
  created_at: Date;
  /** The later of the latest update and the last change by a caller. */
  updated_at: Date;
  update_count: number;
  /** Time of the latest update that is a change: neither a first status nor a translation. Null: the case never changed. */
  changed_at: Date | null;
  latest_update: (Observed & { id: number }) | null;
  uscis_access_acknowledged_at: Date;
  uscis_access_ack_version: string;
  /** Number of `touch` calls. */
  attachments: number;
};
