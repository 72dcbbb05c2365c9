import { z } from 'zod';
import { id, isoTime } from '../fields.ts';
import { unknownValues } from '../reading/unknown-values.ts';
import { checkInterval, freshness, monitorCapacity, upstreamState } from '../resources/service-status.ts';
import { spanishSource, statusFacts, titleModifiedDate } from '../resources/status-update.ts';

/** Their share of the quota day is used (interface.md §1). */
export const checkCaller = z.object({ partner_id: id.nullable(), user_id: id.nullable() });

/** A live check. `max_age_s`: maximum age of a stored answer, seconds; 0: always ask USCIS. */
export const checkRequest = z.object({
  receipt_number: z.string(),
  caller: checkCaller,
  max_age_s: z.int().min(0).max(86_400),
});

/** `message`: the sentence of USCIS, if any. */
export const checkReply = z
  .discriminatedUnion('outcome', [
    z.object({
      outcome: z.literal('seen'),
      facts: statusFacts,
      title_modified_date: titleModifiedDate,
      /** Missing: unknown. */
      spanish_source: spanishSource.optional(),
      touched_at: isoTime.nullable(),
      /** Id for the first status update of a new case. */
      status_update_id: id,
      observation: z.int().min(1),
      facts_hash: z.string(),
      checked_at: isoTime,
      source: z.enum(['live', 'cache']).register(unknownValues, { readAs: 'cache' }),
    }),
    z.object({ outcome: z.literal('not_found'), message: z.string().nullable(), checked_at: isoTime }),
    z.object({ outcome: z.literal('rejected'), message: z.string().nullable(), checked_at: isoTime }),
    z.object({ outcome: z.literal('unreadable'), checked_at: isoTime }),
  ])
  // An answer that this release cannot read keeps its `checked_at`.
  .register(unknownValues, { readAs: 'unreadable' });

export const monitorStatusRequest = z.object({});
export const monitorStatusReply = z.object({
  upstream: upstreamState,
  sending: z.boolean(),
  /** The operator paused sending. */
  paused: z.boolean(),
  freshness: freshness.nullable(),
  overdue_receipts: z.int().min(0).nullable().default(null),
  capacity: monitorCapacity.nullable(),
  planned_interval: checkInterval.nullable().default(null),
  real_interval: checkInterval.nullable().default(null),
  /** False if the planned median interval is too long (monitor.md, Schedule). */
  accepts_new_cases: z.boolean(),
  watched_receipts: z.int(),
  used_today: z.int(),
  daily_budget: z.int(),
  as_of: isoTime,
});

/** interface.md §1, Limits */
export const monitorShareRequest = z.object({ partner_id: id });
export const monitorShareReply = z.object({ live_checks_per_day: z.int().min(0) });

export type CheckReply = z.infer<typeof checkReply>;
export type CheckRequest = z.infer<typeof checkRequest>;
