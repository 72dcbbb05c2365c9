import {
  baseSettings,
  integerSetting,
  keyRingSetting,
  principalSettings,
  storeSettings,
} from '@casewatch/platform';
import { z } from 'zod';

export const casesConfig = z.object({
  ...baseSettings,
  ...storeSettings,
  ...principalSettings,
  USCIS_ACCESS_ACK_VERSION: z
    .string()
    .max(40)
    .default('2026-11')
    .describe('Version of the access acknowledgement that callers confirm; stored with each case'),
  MAX_ACTIVE_CASES_PER_USER: integerSetting(1, 100_000)
    .default(50)
    .describe('Maximum number of active cases per user'),
  CURSOR_KEY: keyRingSetting.describe(
    'Key that signs the cursors of lists and encrypts responses stored for Idempotency-Keys; the same for all replicas',
  ),
});

export type CasesConfig = z.output<typeof casesConfig>;
