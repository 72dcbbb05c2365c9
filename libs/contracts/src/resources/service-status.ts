import { z } from 'zod';
import { unknownValues } from '../reading/unknown-values.ts';

export const upstreamState = z
  .enum(['open', 'closed', 'unreachable'])
  .register(unknownValues, { readAs: 'unreachable' });

/** Seconds, for 50 % and 95 % of the watched receipts. */
export const freshness = z.strictObject({ p50_seconds: z.int(), p95_seconds: z.int() }).nullable();

/** monitor.md, What counts as a change */
export const overdueReceipts = z.int().min(0).nullable();

export const capacity = z
  .strictObject({
    needed_per_day: z.int(),
    available_per_day: z.int(),
    stretch: z.number(),
    room: z.int(),
    by_class: z
      .array(z.strictObject({ class: z.string().max(20), receipts: z.int(), needed_per_day: z.int() }))
      .max(20),
  })
  .nullable();
