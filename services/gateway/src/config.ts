import {
  asSecret,
  atMostInProduction,
  baseSettings,
  httpAddress,
  httpsInProduction,
  httpsUnlessMesh,
  inProduction,
  integerSetting,
  jsonSetting,
  notDemo,
  numberSetting,
  privateJwk,
  servicesTlsSettings,
} from '@casewatch/platform';
import { z } from 'zod';

const perMinute = integerSetting(1, 1_000_000);

const listOf = (text: string) => text.split(',').flatMap((origin) => origin.trim() || []);
const isOrigin = (text: string) =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
const origins = z
  .string()
  .default('')
  .transform(listOf)
  .refine(
    (list) => list.every(isOrigin),
    'each must be an exact origin, without a path: https://app.example',
  );

export const gatewayConfig = z.object({
  ...baseSettings,
  PRINCIPAL_KEY: asSecret(jsonSetting(privateJwk), notDemo).describe(
    'Private ES256 key that signs the caller of each request for the services (JWK)',
  ),
  PUBLIC_URL: httpsInProduction(httpAddress()).describe('Public address of the gateway'),
  IDENTITY_URL: httpsUnlessMesh(httpAddress()).describe('Address of identity'),
  CASES_URL: httpsUnlessMesh(httpAddress()).describe('Address of cases'),
  WEBHOOKS_URL: httpsUnlessMesh(httpAddress()).describe('Address of webhooks'),
  NOTIFIER_URL: httpsUnlessMesh(httpAddress()).describe(
    'Address of notifier, for callbacks and unsubscribe links',
  ),
  ...servicesTlsSettings,
  OPERATOR_NAME: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'Name of the person or organization that runs this system, as people know it. The front page says it; without it the page names nobody',
    ),
  TRACES_URL: httpAddress()
    .optional()
    .describe('Address of the trace viewer. The page for operators links to it; without it there is no link'),
  OPERATOR_EXEC: z
    .string()
    .refine((text) => /\{(service|words)\}/.test(text), 'must contain {service} or {words}')
    .optional()
    .describe(
      'Runs a program where {service} runs, for the commands on the page for operators: `kubectl -n casewatch exec deploy/{service} --`. With {words} in place of it, the whole command of a process that has all services. Without it the page shows `npm run admin`',
    ),
  CORS_ORIGINS: inProduction(origins, (text) =>
    listOf(text).some((origin) => origin.startsWith('http://'))
      ? 'each must begin with https:// in production'
      : undefined,
  ).describe('Origins that browsers may call from, separated by commas, without a path: https://app.example'),
  TRUSTED_HOPS: integerSetting(0, 3)
    .default(0)
    .describe(
      'Number of trusted proxies in front of the gateway; their X-Forwarded-For gives the caller’s address',
    ),
  MAX_CONNECTIONS: integerSetting(10, 100_000)
    .default(400)
    .describe(
      'Number of connections above which idle ones are closed; half as many per address. A connection takes about 20 KB, 36 KB while its headers arrive',
    ),
  MAX_BODY_MEMORY_MB: integerSetting(4, 1_024)
    .default(16)
    .describe(
      'Memory for request bodies in progress, MiB: half for bodies over 16 KiB, a quarter for other callers without credentials. A body that does not fit gets 429 or 503',
    ),
  RATE_LIMIT_ADDRESS_PER_MINUTE: perMinute
    .default(300)
    .describe('Maximum number of requests without valid credentials, per minute and network address'),
  RATE_LIMIT_PARTNER_PER_MINUTE: perMinute
    .default(600)
    .describe('Maximum number of requests per minute and partner'),
  RATE_LIMIT_USER_PER_MINUTE: perMinute
    .default(120)
    .describe('Maximum number of requests per minute and end user'),
  RATE_LIMIT_SCALE: atMostInProduction(numberSetting(0.001, 100_000), 2)
    .default(1)
    .describe(
      'Factor on the three limits above. A factor above 1 also allows more concurrent requests of one caller. For development and load tests',
    ),
});

export type GatewayConfig = z.output<typeof gatewayConfig>;
