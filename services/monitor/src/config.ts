import { isTimeZone } from '@casewatch/contracts';
import {
  addressSetting,
  asSecret,
  baseSettings,
  httpAddress,
  httpFault,
  httpsInProduction,
  integerSetting,
  notDemo,
  numberSetting,
  storeSettings,
} from '@casewatch/platform';
import { z } from 'zod';
import { parseHours } from './domain/hours.ts';

const quotaShare = (usual: number) => numberSetting(0, 1).default(usual);

export const monitorConfig = z.object({
  ...baseSettings,
  ...storeSettings,
  USCIS_TOKEN_URL: httpsInProduction(addressSetting(httpFault)).describe(
    'Address of the USCIS token endpoint',
  ),
  USCIS_API_URL: httpsInProduction(httpAddress()).describe(
    'Address of the USCIS case status API, without the receipt number: https://…/case-status',
  ),
  USCIS_CLIENT_ID: z.string().min(1).describe('Client id for the USCIS API'),
  USCIS_CLIENT_SECRET: asSecret(z.string().min(1), notDemo).describe('Client secret for the USCIS API'),
  USCIS_RATE_PER_SECOND: numberSetting(0.01, 10_000)
    .default(5)
    .describe('Requests per second that USCIS allows (spike arrest); requests are sent one at a time'),
  USCIS_DAILY_BUDGET: integerSetting(1, 1_000_000_000)
    .default(10_000)
    .describe(
      'Requests per day that USCIS allows, over all replicas. Documents of USCIS name 10,000, 150,000 and 400,000: use the number that was granted',
    ),
  USCIS_QUOTA_RESET_TZ: z
    .string()
    .default('UTC')
    .refine(isTimeZone, 'must be a time zone such as America/New_York')
    .describe('Time zone of the quota day; the quota is reset at midnight'),
  USCIS_HOURS: z
    .string()
    .default('')
    .refine(
      (text) => text === '' || parseHours(text) !== null,
      'must look like mon-fri 07:00-20:00 America/New_York',
    )
    .describe(
      'Opening hours of the USCIS API, for example mon-fri 07:00-20:00 America/New_York; empty: always open',
    ),
  USCIS_DEMO_ID: z
    .string()
    .default('')
    .describe('Value of the demo_id header, required in the demonstration for USCIS; empty: no header'),
  USCIS_PACE_MARGIN: numberSetting(0, 0.5)
    .default(0.05)
    .describe('Share of the rate that stays unused, 0 to 0.5'),
  MONITOR_INTERACTIVE_SHARE: quotaShare(0.15).describe(
    'Share of the daily quota for live checks, 0 to 1; scheduled checks get the unused part during the day',
  ),
  MONITOR_INTERACTIVE_MOST: quotaShare(0.3).describe(
    'Maximum share of the daily quota for live checks, including what scheduled checks leave unused, 0 to 1',
  ),
  MONITOR_PARTNER_SHARE: quotaShare(0.05).describe(
    'Share of the daily quota for live checks of one partner, 0 to 1, unless an operator sets a number',
  ),
  MONITOR_DIRECT_USER_CHECKS: integerSetting(0, 1_000_000)
    .default(20)
    .describe('Live checks per day and direct user'),
  MONITOR_DIRECT_SHARE: quotaShare(0.1).describe(
    'Share of the daily quota for live checks of all direct users together, 0 to 1',
  ),
  MONITOR_CHECK_RECORD_DAYS: integerSetting(1, 3_650)
    .default(30)
    .describe('Days for which live checks are recorded; receipt numbers are stored as keyed hashes'),
  MONITOR_INTERVAL_SCALE: numberSetting(0.000_001, 10)
    .default(1)
    .describe('Factor on the shortest, the longest and the fixed intervals; small in development'),
  MONITOR_MAX_MEDIAN_INTERVAL: numberSetting(0.01, 10_000)
    .default(72)
    .describe('Longest planned median interval of a receipt, hours; above it new cases are refused'),
  MONITOR_AHEAD_HOURS: numberSetting(0.01, 24)
    .default(1)
    .describe('Hours of scheduled checks in one burst; at 24, checks are not spread over the day'),
});

export type MonitorConfig = z.output<typeof monitorConfig>;
