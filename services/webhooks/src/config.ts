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

/** Networks or single addresses with spaces between them. */
const networksSetting = z
  .string()
  .default('')
  .transform((text) => text.split(/\s+/).filter((network) => network !== ''))
  .refine(
    (networks) => networks.every(isNetwork),
    'must be networks such as 203.0.113.0/24 or 2001:db8::/32, separated by spaces',
  );

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
  WEBHOOKS_DENIED_NETWORKS: networksSetting.describe(
    'Networks that no webhook is sent to, besides those that are not public; separated by spaces. The most specific network decides',
  ),
  WEBHOOKS_ALLOWED_NETWORKS: networksSetting.describe(
    'Networks that webhooks are sent to although they are not public or are denied; separated by spaces. The most specific network decides, never for loopback',
  ),
});

function isNetwork(text: string): boolean {
  // The parser also takes 10, 0x7f.1 and 10.0.0: in a setting these are mistakes.
  if (isIP(text.split('/')[0] ?? '') === 0) return false;
  try {
    parseNetwork(text);
    return true;
  } catch {
    // The setting's own sentence says what is expected.
    return false;
  }
}

export type WebhooksConfig = z.output<typeof webhooksConfig>;
