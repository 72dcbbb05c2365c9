import { z } from 'zod';
import { id, isoTime } from '../fields.ts';
import { unknownValues } from '../reading/unknown-values.ts';
import { monitoringState } from '../resources/case.ts';
import {
  changedPart,
  historyEntry,
  spanishSource,
  statusFacts,
  titleModifiedDate,
  updateKind,
} from '../resources/status-update.ts';
import { caseReference } from './cases.ts';

/** As the monitor records it; readers add the rest. */
export const observedStatus = statusFacts.extend({
  /** Id of the status update: one per watched case. */
  id,
  kind: updateKind,
  /** What the update changed for this case. */
  changes: z.array(changedPart),
  /** When USCIS last moved `modified_date` alone, if that was before this event. */
  touched_at: isoTime.nullable(),
  /** Observation of the receipt; the higher is newer. */
  observation: z.int().min(1),
  timestamp: isoTime,
});

/** Why no one is notified. `other`: a reason that this release does not know; never written. */
export const skipReason = z
  .enum(['baseline', 'no_content_change', 'flap', 'other'])
  .register(unknownValues, { readAs: 'other' });

/**
 * More about the `skip_reason` `no_content_change`. `held`: many cases changed in
 * the same way, and an operator decides. `case_inactive`: the case was deactivated since.
 */
export const skipDetail = z
  .enum(['held', 'case_inactive', 'other'])
  .register(unknownValues, { readAs: 'other' });

/**
 * One event per watched case. `skip_reason` null: people are notified. A second event with the same id and without a
 * `skip_reason`: an update of which nobody was notified is confirmed, and people are notified of it now.
 */
export const statusUpdated = z.object({
  case: caseReference,
  status_update: observedStatus,
  title_modified_date: titleModifiedDate,
  skip_reason: skipReason.nullable(),
  skip_detail: skipDetail.nullable().optional(),
  previous_status_code: z.string().nullable(),
  /** The entries of `history` that were not known before, and repeat no status that was shown; oldest first. */
  new_history: z.array(historyEntry),
  /** Missing: unknown. */
  spanish_source: spanishSource.optional(),
});

/** USCIS moved `modified_date` alone: each case keeps its status update, with a new `touched_at`. */
export const statusTouched = z.object({
  touched_at: isoTime,
  updates: z
    .array(z.object({ case_id: id, status_update_id: id }))
    .min(1)
    .max(500),
});

/** May be lost: it only moves `last_checked`. */
export const statusChecked = z.object({
  checked_at: isoTime,
  next_check_at: isoTime.nullable(),
  case_ids: z.array(id).min(1).max(500),
});

export const monitoringChanged = z.object({
  case: caseReference,
  state: monitoringState,
  since: isoTime,
  next_check_at: isoTime.nullable(),
  /** Of the receipt: the highest one of a watch counts. */
  revision: z.int().min(1),
  /** Version of the case that the watch knew: a report of an earlier watch is older than the present one. Missing: unknown. */
  case_version: z.int().min(1).optional(),
});

export const checkOverdue = z.object({
  case: caseReference,
  last_checked: isoTime.nullable(),
  since: isoTime,
});

export type ObservedStatus = z.infer<typeof observedStatus>;
export type StatusUpdated = z.infer<typeof statusUpdated>;
