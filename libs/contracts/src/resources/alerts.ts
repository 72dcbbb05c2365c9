import { z } from 'zod';
import { unknownValues } from '../reading/unknown-values.ts';
import { knownStatuses } from '../statuses/status-table.ts';

/** `urgent`: whatever is urgent, of each category (firm.md §3). The others are the categories of the status table. */
export const alertCategories: readonly [string, ...string[]] = [
  'urgent',
  ...[...new Set(knownStatuses().map(({ category }) => category))].sort(),
  'unknown',
];

/** A time of the day, `HH:MM`, on the clock of the member's zone. */
export const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day, as HH:MM, from 00:00 to 23:59')
  .meta({ maxLength: 5 });

/**
 * What a member hears by mail, and when (firm.md §5). `immediate`: what comes immediately; empty: nothing, except what is urgent
 * and would reach nobody else. `scope`: the cases of the member and those on which nobody works, or all. `quiet_hours`: what is not
 * urgent waits for their end; null: none.
 */
export const alerts = z.strictObject({
  immediate: z.array(z.enum(alertCategories).register(unknownValues, { leftOut: true })).max(30),
  scope: z.enum(['mine', 'all']).register(unknownValues, { readAs: 'mine' }),
  digest: z.enum(['weekdays', 'daily', 'off']).register(unknownValues, { readAs: 'daily' }),
  digest_at: timeOfDay,
  quiet_hours: z.strictObject({ from: timeOfDay, to: timeOfDay }).nullable(),
});
export type Alerts = z.infer<typeof alerts>;

/** Of a member of a firm that says nothing else. */
export const defaultAlerts: Alerts = {
  immediate: ['urgent'],
  scope: 'mine',
  digest: 'weekdays',
  digest_at: '08:00',
  quiet_hours: { from: '20:00', to: '07:00' },
};
