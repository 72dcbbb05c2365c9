import { z } from 'zod';
import { id, isoTime } from '../fields.ts';
import { unknownValues } from '../reading/unknown-values.ts';
import { capacity, freshness, overdueReceipts, upstreamState } from '../resources/service-status.ts';
import { statusFacts } from '../resources/status-update.ts';

/** Who asks for a live check: their share of the government's day is counted (interface.md §1). */
export const checkCaller = z.object({ partner_id: id.nullable(), user_id: id.nullable() });

/**
 * A check that somebody waits for. `max_age_s`: an answer that young is served from the store (seconds; 0 asks the
 * government in any case).
 */
export const checkRequest = z.object({
  receipt_number: z.string(),
  caller: checkCaller,
  max_age_s: z.int().min(0).max(86_400),
});

/** The outcomes of a check; the government's own sentence stands in `message` where it gave one. */
export const checkReply = z
  .discriminatedUnion('outcome', [
    z.object({
      outcome: z.literal('seen'),
      facts: statusFacts,
      /** A fresh id for the first StatusUpdate of a case that is made of this answer. */
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
  // Its `checked_at` is kept: there is an answer, and this release cannot read it.
  .register(unknownValues, { readAs: 'unreadable' });

export const monitorStatusRequest = z.object({});
export const monitorStatusReply = z.object({
  upstream: upstreamState,
  sending: z.boolean(),
  /** Nothing is sent because the operator said so. */
  paused: z.boolean(),
  freshness,
  /** A monitor of a former release does not say it. */
  overdue_receipts: overdueReceipts.default(null),
  capacity,
  /** False where intervals are stretched too far already (monitor.md, Schedule). */
  accepts_new_cases: z.boolean(),
  watched_receipts: z.int(),
  used_today: z.int(),
  daily_budget: z.int(),
  as_of: isoTime,
});

/** What a partner may ask of the government's day (interface.md §1, Limits). */
export const monitorShareRequest = z.object({ partner_id: id });
export const monitorShareReply = z.object({ live_checks_per_day: z.int().min(0) });

export type CheckReply = z.infer<typeof checkReply>;
export type CheckRequest = z.infer<typeof checkRequest>;
