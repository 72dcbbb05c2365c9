import { z } from 'zod';
import { id, isoTime } from '../fields.ts';
import { unknownValues } from '../reading/unknown-values.ts';
import { monitoringState } from '../resources/case.ts';
import { statusFacts, updateKind } from '../resources/status-update.ts';
import { caseReference } from './cases.ts';

/** A StatusUpdate as the monitor records it; what readers see besides is added where it is read. */
export const observedStatus = statusFacts.extend({
  /** The StatusUpdate's id; the monitor gives it, one per watching case. */
  id,
  kind: updateKind,
  /** The receipt's counter of changes: the higher is the newer. */
  observation: z.int().min(1),
  timestamp: isoTime,
});

/** Why people are not told; `other` is a reason that the reader's release does not know, and is never written. */
export const skipReason = z
  .enum(['baseline', 'no_content_change', 'flap', 'other'])
  .register(unknownValues, { readAs: 'other' });

/** One message per watched case. `skip_reason` null means that people are told. */
export const statusUpdated = z.object({
  case: caseReference,
  status_update: observedStatus,
  skip_reason: skipReason.nullable(),
  previous_status_code: z.string().nullable(),
});

/** Cases of one receipt that were checked; may be lost harmlessly, it only moves `last_checked`. */
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
  /** The receipt's revision: the higher is the newer. */
  revision: z.int().min(1),
});

export const checkOverdue = z.object({
  case: caseReference,
  last_checked: isoTime.nullable(),
  since: isoTime,
});

export type ObservedStatus = z.infer<typeof observedStatus>;
export type StatusUpdated = z.infer<typeof statusUpdated>;
