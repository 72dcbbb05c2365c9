import { z } from 'zod';
import { partnerTime } from '../fields.ts';

const count = z.int().min(0);

/** What happened in one hour or one day that begins at `start`. */
export const statisticsPeriod = z.strictObject({
  start: partnerTime,
  users_created: count,
  cases_created: count,
  status_changes: count,
  notifications_sent: count,
  notifications_failed: count,
  deliveries: count,
  deliveries_failed: count,
});

export type StatisticsPeriod = z.infer<typeof statisticsPeriod>;
