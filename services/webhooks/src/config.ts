import {
  baseSettings,
  booleanSetting,
  numberSetting,
  principalSettings,
  secretSetting,
  storeSettings,
} from '@casewatch/platform';
import { z } from 'zod';

/** Settings of the webhooks service. */
export const webhooksConfig = z
  .object({
    ...baseSettings,
    ...storeSettings,
    ...principalSettings,
    CURSOR_KEY: secretSetting.describe('Signs the cursors of lists and encrypts remembered answers'),
    WEBHOOKS_ENCRYPTION_KEY: z
      .string()
      .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be base64 of 32 bytes') // 32 bytes are 43 characters and one pad
      .transform((text) => Buffer.from(text, 'base64'))
      .describe('Encrypts signing secrets and custom header values at rest; base64 of 32 bytes'),
    WEBHOOKS_RETRY_SCALE: numberSetting(0.0001, 10)
      .default(1)
      .describe('Multiplies every wait between attempts; below 1 for development and tests'),
    WEBHOOKS_ALLOW_LOOPBACK: booleanSetting
      .default(false)
      .describe('Lets endpoints be on this machine, by http and on any port; refused in production'),
  })
  .refine((config) => !(config.NODE_ENV === 'production' && config.WEBHOOKS_ALLOW_LOOPBACK), {
    path: ['WEBHOOKS_ALLOW_LOOPBACK'],
    message: 'is for development only',
  });

export type WebhooksConfig = z.output<typeof webhooksConfig>;
