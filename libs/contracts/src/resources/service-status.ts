import { z } from 'zod';
import { unknownValues } from '../reading/unknown-values.ts';

/** How the government's service stands: open, closed by its known hours, or not to be reached. */
export const upstreamState = z
  .enum(['open', 'closed', 'unreachable'])
  .register(unknownValues, { readAs: 'unreachable' });

/** Age of the last successful check of the watched receipts, seconds: of half of them, of 95 %; null before the first. */
export const freshness = z.strictObject({ p50_seconds: z.int(), p95_seconds: z.int() }).nullable();

/** Watched receipts that were not checked for too long (monitor.md, What counts as a change); null before the first count. */
export const overdueReceipts = z.int().min(0).nullable();

/** Checks a day that the watched receipts need against those that there are; null before the first count. */
export const capacity = z
  .strictObject({
    needed_per_day: z.int(),
    available_per_day: z.int(),
    /** Factor by which the intervals between checks are stretched; 1 = as designed. */
    stretch: z.number(),
    /** Receipts that can be added before intervals are stretched. */
    room: z.int(),
    by_class: z
      .array(z.strictObject({ class: z.string().max(20), receipts: z.int(), needed_per_day: z.int() }))
      .max(20),
  })
  .nullable();
