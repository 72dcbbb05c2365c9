import {
  baseSettings,
  booleanSetting,
  keyRingSetting,
  notInProduction,
  numberSetting,
  principalSettings,
  storeSettings,
} from '@casewatch/platform';
import { z } from 'zod';

/** Settings of the webhooks service. */
export const webhooksConfig = z.object({
  ...baseSettings,
  ...storeSettings,
  ...principalSettings,
  CURSOR_KEY: keyRingSetting.describe('Signs the cursors of lists and encrypts remembered answers'),
  WEBHOOKS_ENCRYPTION_KEY: keyRingSetting.describe(
    'Encrypts signing secrets and custom header values at rest',
  ),
  WEBHOOKS_RETRY_SCALE: numberSetting(0.0001, 10)
    .default(1)
    .describe('Multiplies every wait between attempts; below 1 for development and tests'),
  WEBHOOKS_ALLOW_LOOPBACK: notInProduction(booleanSetting, (text) => text === 'false')
    .default(false)
    .describe('Lets endpoints be on this machine, by http and on any port; refused in production'),
});

export type WebhooksConfig = z.output<typeof webhooksConfig>;
