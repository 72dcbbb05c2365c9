import { baseSettings, integerSetting, numberSetting, storeSettings } from '@casewatch/platform';
import { z } from 'zod';
import { isTimeZone, parseHours } from './domain/hours.ts';

/** Every setting of the monitor; README.md shows them as a table. */
export const monitorConfig = z.object({
  ...baseSettings,
  ...storeSettings,
  USCIS_TOKEN_URL: z.url().describe("Address of the government's token endpoint"),
  USCIS_API_URL: z.url().describe('Address of a case without the receipt number, e.g. https://…/case-status'),
  USCIS_CLIENT_ID: z.string().min(1).describe('Key that the government gave'),
  USCIS_CLIENT_SECRET: z.string().min(1).describe('Its secret'),
  USCIS_RATE_PER_SECOND: numberSetting(0.01, 10_000)
    .default(5)
    .describe('Requests per second that the government allows, one at a time (spike arrest)'),
  USCIS_DAILY_BUDGET: integerSetting(1, 1_000_000_000)
    .default(10_000)
    .describe('Requests per day, all replicas together'),
  USCIS_QUOTA_RESET_TZ: z
    .string()
    .default('UTC')
    .refine(isTimeZone, 'must be a time zone such as America/New_York')
    .describe("Time zone at whose midnight the day's quota begins anew"),
  USCIS_HOURS: z
    .string()
    .default('')
    .refine(
      (text) => text === '' || parseHours(text) !== null,
      'must look like mon-fri 07:00-20:00 America/New_York',
    )
    .describe('Opening hours, e.g. mon-fri 07:00-20:00 America/New_York; empty = always open'),
  USCIS_DEMO_ID: z
    .string()
    .default('')
    .describe('Header demo_id during the demonstration for production access'),
  USCIS_PACE_MARGIN: numberSetting(0, 0.5).default(0.05).describe('Share of the rate that is left unused'),
  MONITOR_INTERVAL_SCALE: numberSetting(0.000_001, 10)
    .default(1)
    .describe('Factor on all check intervals; small in development'),
});

export type MonitorConfig = z.output<typeof monitorConfig>;
