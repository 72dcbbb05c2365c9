import { z } from 'zod';
import { hoursSetting, isTimeZone } from './hours.ts';

/** At whose midnight the day's quota begins anew: UTC by one of the government's pages, America/New_York by another. */
const quotaZone = z.string().refine(isTimeZone, 'must be a time zone such as America/New_York');

/** Body of `PUT /sandbox/limits`; what is left out stays. Hours null or "" = always open. */
export const limitsBody = z.strictObject({
  rate_per_second: z.number().positive().max(100_000).optional(),
  daily_quota: z.number().int().min(0).optional(),
  hours: hoursSetting.optional(),
  quota_tz: quotaZone.optional(),
});

/** The government's limits: requests per second (burst 1), requests per day of `quota_tz`, opening hours. */
export const limits = z.strictObject({
  rate_per_second: z.number().positive(),
  daily_quota: z.number().int().min(0),
  hours: hoursSetting,
  quota_tz: quotaZone.default('UTC'),
});

export type Limits = z.output<typeof limits>;

/** The real sandbox's limits, but always open. */
export const SANDBOX_LIMITS: Limits = { rate_per_second: 5, daily_quota: 1000, hours: null, quota_tz: 'UTC' };
