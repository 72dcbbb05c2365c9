import {
  baseSettings,
  integerSetting,
  keyRingSetting,
  principalSettings,
  storeSettings,
} from '@casewatch/platform';
import { z } from 'zod';

/** The service's settings, as the environment gives them. */
export const casesConfig = z.object({
  ...baseSettings,
  ...storeSettings,
  ...principalSettings,
  USCIS_ACCESS_ACK_VERSION: z
    .string()
    .max(40)
    .default('2026-01')
    .describe('Which text of the access acknowledgement callers confirm'),
  MAX_ACTIVE_CASES_PER_USER: integerSetting(1, 100_000)
    .default(50)
    .describe('How many active cases one user may have'),
  CURSOR_KEY: keyRingSetting.describe(
    'Signs the cursors of lists and encrypts remembered answers; the same for all replicas',
  ),
});

export type CasesConfig = z.output<typeof casesConfig>;
