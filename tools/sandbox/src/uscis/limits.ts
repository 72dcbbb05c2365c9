import { z } from 'zod';
import { hoursSetting, isTimeZone } from './hours.ts';

const fields = z.strictObject({
  rate_per_second: z.number().positive().max(100_000),
  daily_quota: z.number().int().min(0),
  /** Null or "" = always open. */
  hours: hoursSetting,
  /** The quota starts again at midnight here: in UTC or in New York, the government's pages disagree. */
  quota_tz: z.string().refine(isTimeZone, 'must be a time zone such as America/New_York'),
});

/** Body of `PUT /sandbox/limits`; a field that is left out stays. */
export const limitsBody = fields.partial();

/** The government's limits: requests per second (burst 1), requests per day of `quota_tz`, opening hours. */
export const limits = fields.extend({ quota_tz: fields.shape.quota_tz.default('UTC') });

export type Limits = z.output<typeof limits>;

/** The real sandbox's limits, but always open. */
export const SANDBOX_LIMITS: Limits = { rate_per_second: 5, daily_quota: 1000, hours: null, quota_tz: 'UTC' };
