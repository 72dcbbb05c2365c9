import { z } from 'zod';
import { hoursSetting } from './hours.ts';

/** Body of `PUT /sandbox/limits`; what is left out stays. Hours null or "" = always open. */
export const limitsBody = z.strictObject({
  rate_per_second: z.number().positive().max(100_000).optional(),
  daily_quota: z.number().int().min(0).optional(),
  hours: hoursSetting.optional(),
});

/** The government's limits: requests per second (burst 1), requests per UTC day, opening hours. */
export const limits = z.strictObject({
  rate_per_second: z.number().positive(),
  daily_quota: z.number().int().min(0),
  hours: hoursSetting,
});

export type Limits = z.output<typeof limits>;

/** The real sandbox's limits, but always open. */
export const SANDBOX_LIMITS: Limits = { rate_per_second: 5, daily_quota: 1000, hours: null };
