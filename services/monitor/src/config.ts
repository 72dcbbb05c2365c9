import {
  asSecret,
  baseSettings,
  httpsInProduction,
  integerSetting,
  notDemo,
  numberSetting,
  storeSettings,
} from '@casewatch/platform';
import { z } from 'zod';
import { isTimeZone, parseHours } from './domain/hours.ts';
import type { Quota } from './domain/quota.ts';
import type { ShareSettings } from './domain/shares.ts';

/** Every setting of the monitor; README.md shows them as a table. */
export const monitorConfig = z.object({
  ...baseSettings,
  ...storeSettings,
  USCIS_TOKEN_URL: httpsInProduction(z.url()).describe("Address of the government's token endpoint"),
  USCIS_API_URL: httpsInProduction(z.url()).describe(
    'Address of a case without the receipt number, e.g. https://…/case-status',
  ),
  USCIS_CLIENT_ID: z.string().min(1).describe('Key that the government gave'),
  USCIS_CLIENT_SECRET: asSecret(z.string().min(1), notDemo).describe('Its secret'),
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
  MONITOR_INTERACTIVE_SHARE: numberSetting(0, 1)
    .default(0.15)
    .describe('Part of the day that checks somebody waits for may take'),
  MONITOR_INTERACTIVE_MOST: numberSetting(0, 1)
    .default(0.3)
    .describe('Part of the day that they may take by borrowing from the schedule'),
  MONITOR_PARTNER_SHARE: numberSetting(0, 1)
    .default(0.05)
    .describe('Part of the day that live checks of one partner may take, unless it has a number of its own'),
  MONITOR_DIRECT_USER_CHECKS: integerSetting(0, 1_000_000)
    .default(20)
    .describe('Live checks a day of one direct user'),
  MONITOR_DIRECT_SHARE: numberSetting(0, 1)
    .default(0.1)
    .describe('Part of the day that live checks of all direct users together may take'),
  MONITOR_CHECK_RECORD_DAYS: integerSetting(1, 3_650)
    .default(30)
    .describe('Days for which it is kept who asked for which receipt (a keyed hash)'),
  MONITOR_NEIGHBOUR_ALARM: integerSetting(2, 40)
    .default(10)
    .describe('Neighbouring receipt numbers that one caller asks for within a day before an alarm is raised'),
  MONITOR_INTERVAL_SCALE: numberSetting(0.000_001, 10)
    .default(1)
    .describe('Factor on all check intervals; small in development'),
  MONITOR_MAX_STRETCH: numberSetting(1, 1_000)
    .default(10)
    .describe(
      'New cases are refused where the quota is so small that intervals are stretched by more than this',
    ),
  MONITOR_AHEAD_HOURS: numberSetting(0.01, 24)
    .default(1)
    .describe(
      "Hours' worth of the day's scheduled checks that may be made at once; 24 = the day is not spread",
    ),
});

export type MonitorConfig = z.output<typeof monitorConfig>;

/** The day's quota and its lanes, as the settings have them. */
export function quotaOf(config: MonitorConfig): Quota {
  return {
    daily: config.USCIS_DAILY_BUDGET,
    share: config.MONITOR_INTERACTIVE_SHARE,
    most: config.MONITOR_INTERACTIVE_MOST,
  };
}

/** Callers' shares of the government's day, as the settings have them. */
export function shareSettingsOf(config: MonitorConfig): ShareSettings {
  return {
    daily: config.USCIS_DAILY_BUDGET,
    partnerShare: config.MONITOR_PARTNER_SHARE,
    directUser: config.MONITOR_DIRECT_USER_CHECKS,
    directShare: config.MONITOR_DIRECT_SHARE,
  };
}
