import { z } from 'zod';
import { id, isoTime } from '../fields.ts';
import { unknownValues } from '../reading/unknown-values.ts';
import { monitoringState } from '../resources/case.ts';
import { statusFacts, updateKind } from '../resources/status-update.ts';
import { caseReference } from './cases.ts';

/** As the monitor records it; readers add the rest. */
export const observedStatus = statusFacts.extend({
  /** Id of the status update: one per watched case. */
  id,
  kind: updateKind,
  /** Observation of the receipt; the higher is newer. */
  observation: z.int().min(1),
  timestamp: isoTime,
});

/** Why no one is notified. `other`: a reason that this release does not know; never written. */
export const skipReason = z
  .enum(['baseline', 'no_content_change', 'flap', 'other'])
  .register(unknownValues, { readAs: 'other' });

/** Who wrote the Spanish title and text. `casewatch`: our status table, because USCIS served none or only a part. */
export const spanishSource = z.enum(['uscis', 'casewatch']).register(unknownValues, { readAs: 'casewatch' });

/** One event per watched case. `skip_reason` null: people are notified. */
export const statusUpdated = z.object({
  case: caseReference,
  status_update: observedStatus,
  skip_reason: skipReason.nullable(),
  previous_status_code: z.string().nullable(),
  /** Missing: unknown, as in events of releases before this field. */
  spanish_source: spanishSource.optional(),
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
  revision: z.int().min(1),
});

export const checkOverdue = z.object({
  case: caseReference,
  last_checked: isoTime.nullable(),
  since: isoTime,
});

export type ObservedStatus = z.infer<typeof observedStatus>;
export type SpanishSource = z.infer<typeof spanishSource>;
export type StatusUpdated = z.infer<typeof statusUpdated>;
