import { baseSettings, integerSetting, jsonSetting, privateJwk } from '@casewatch/platform';
import { z } from 'zod';

const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/$/, ''));

/** Settings of the gateway; it stores nothing and so has no database. */
export const gatewayConfig = z.object({
  ...baseSettings,
  PRINCIPAL_KEY: jsonSetting(privateJwk).describe('Private ES256 key that signs who is calling (JWK)'),
  PUBLIC_URL: address.describe('Address that the outside reaches the gateway at'),
  IDENTITY_URL: address.describe('Address of identity'),
  CASES_URL: address.describe('Address of cases'),
  WEBHOOKS_URL: address.describe('Address of webhooks'),
  NOTIFIER_URL: address.describe('Address of notifier (callbacks that outsiders make)'),
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((origin) => origin.trim() || []))
    .describe('Origins that browsers may call from, comma-separated, exact'),
  TRUSTED_HOPS: integerSetting(0, 10)
    .default(0)
    .describe('Proxies in front whose X-Forwarded-For is believed'),
});

export type GatewayConfig = z.output<typeof gatewayConfig>;
