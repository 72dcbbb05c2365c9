import { isIP } from 'node:net';
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
import { parseNetwork } from './domain/networks.ts';

const networksSetting = z
  .string()
  .default('')
  .transform((text) => text.split(/\s+/).filter((network) => network !== ''))
  .refine(
    (networks) => networks.every(isNetwork),
    'must be networks such as 203.0.113.0/24 or 2001:db8::/32, separated by spaces',
  );

export const webhooksConfig = z.object({
  ...baseSettings,
  ...storeSettings,
  ...principalSettings,
  CURSOR_KEY: keyRingSetting.describe(
    'Key that signs the cursors of lists and encrypts responses stored for Idempotency-Keys; the same for all replicas',
  ),
  WEBHOOKS_ENCRYPTION_KEY: keyRingSetting.describe(
    'Key that encrypts signing secrets and values of custom headers in the database',
  ),
  WEBHOOKS_RETRY_SCALE: numberSetting(0.000_01, 10)
    .default(1)
    .describe(
      'Factor on all waits between attempts and on the time after which a failing endpoint is disabled; below 1 in development and tests',
    ),
  WEBHOOKS_ALLOW_LOOPBACK: notInProduction(booleanSetting, (text) => text === 'false')
    .default(false)
    .describe('Allows endpoints on this machine, over http and on any port; refused in production'),
  WEBHOOKS_DENIED_NETWORKS: networksSetting.describe(
    'Networks that receive no webhooks, in addition to all private networks; separated by spaces. The most specific network decides',
  ),
  WEBHOOKS_ALLOWED_NETWORKS: networksSetting.describe(
    'Private or denied networks that may receive webhooks; separated by spaces. The most specific network decides; loopback is never allowed',
  ),
});

function isNetwork(text: string): boolean {
  // The parser also accepts 10, 0x7f.1 and 10.0.0.
  if (isIP(text.split('/')[0] ?? '') === 0) return false;
  try {
    parseNetwork(text);
    return true;
  } catch {
    return false;
  }
}

export type WebhooksConfig = z.output<typeof webhooksConfig>;
