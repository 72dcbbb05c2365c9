import { z } from 'zod';
import { unknownValues } from '../reading/unknown-values.ts';

export const upstreamState = z
  .enum(['open', 'closed', 'unreachable'])
  .register(unknownValues, { readAs: 'unreachable' });

const quantiles = { p50_seconds: z.int(), p95_seconds: z.int() };

/** Seconds, for 50 % and 95 % of the watched receipts. */
export const freshness = z.strictObject(quantiles);

/** The same for the time between two checks. */
export const checkInterval = z.strictObject(quantiles);

/** What the monitor answers. */
export const monitorCapacity = z.strictObject({
  needed_per_day: z.int(),
  available_per_day: z.int(),
  stretch: z.number(),
  room: z.int(),
  by_class: z
    .array(z.strictObject({ class: z.string().max(20), receipts: z.int(), needed_per_day: z.int() }))
    .max(20),
});

export const capacity = monitorCapacity.extend({
  used_today: z.int().optional(),
  planned_interval: checkInterval.nullable().optional(),
  real_interval: checkInterval.nullable().optional(),
});
