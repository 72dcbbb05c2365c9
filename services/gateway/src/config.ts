import {
  asSecret,
  baseSettings,
  httpsInProduction,
  httpsUnlessMesh,
  integerSetting,
  jsonSetting,
  notDemo,
  numberSetting,
  privateJwk,
  servicesTlsSettings,
} from '@casewatch/platform';
import { z } from 'zod';

const perMinute = integerSetting(1, 1_000_000);
const address = () => z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/$/, ''));

/** Settings of the gateway; it stores nothing and so has no database. */
export const gatewayConfig = z.object({
  ...baseSettings,
  PRINCIPAL_KEY: asSecret(jsonSetting(privateJwk), notDemo).describe(
    'Private ES256 key that signs who is calling (JWK)',
  ),
  PUBLIC_URL: httpsInProduction(address()).describe('Address that the outside reaches the gateway at'),
  IDENTITY_URL: httpsUnlessMesh(address()).describe('Address of identity'),
  CASES_URL: httpsUnlessMesh(address()).describe('Address of cases'),
  WEBHOOKS_URL: httpsUnlessMesh(address()).describe('Address of webhooks'),
  NOTIFIER_URL: httpsUnlessMesh(address()).describe('Address of notifier (callbacks that outsiders make)'),
  ...servicesTlsSettings,
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((origin) => origin.trim() || []))
    .describe('Origins that browsers may call from, comma-separated, exact'),
  TRUSTED_HOPS: integerSetting(0, 10)
    .default(0)
    .describe('Proxies in front whose X-Forwarded-For is believed'),
  RATE_LIMIT_ADDRESS_PER_MINUTE: perMinute
    .default(300)
    .describe('Requests a minute without valid credentials, per network address'),
  RATE_LIMIT_PARTNER_PER_MINUTE: perMinute.default(600).describe('Requests a minute of one partner'),
  RATE_LIMIT_USER_PER_MINUTE: perMinute.default(120).describe('Requests a minute of one end user'),
  RATE_LIMIT_SCALE: numberSetting(0.001, 100_000)
    .default(1)
    .describe('Multiplies the three limits: development and load tests'),
});

export type GatewayConfig = z.output<typeof gatewayConfig>;
