import {
  asSecret,
  atMostInProduction,
  baseSettings,
  httpsInProduction,
  integerSetting,
  jsonSetting,
  keyRingSetting,
  notDemo,
  numberSetting,
  principalSettings,
  privateJwk,
  storeSettings,
} from '@casewatch/platform';
import { z } from 'zod';

/** Settings of identity; each also as NAME_FILE. */
export const identityConfig = z.object({
  ...baseSettings,
  ...storeSettings,
  ...principalSettings,
  PUBLIC_URL: httpsInProduction(z.url().transform((url) => url.replace(/\/$/, ''))).describe(
    'Where the public reaches the gateway; links and the issuer of tokens begin with it',
  ),
  SECRET_PEPPER: keyRingSetting.describe(
    'Key of every keyed hash here (key secrets, codes, links, refresh tokens), and of what seals signing keys',
  ),
  TOKEN_SIGNING_KEYS: asSecret(jsonSetting(z.object({ keys: z.array(privateJwk).min(1) })), notDemo)
    .optional()
    .describe(
      'Private ES256 keys (JWKS, JSON) to begin with, the signing one first; without it the first start makes one',
    ),
  CURSOR_KEY: keyRingSetting.describe('Signs the cursors of lists'),
  SIGN_UP_KEPT_DAYS: numberSetting(1 / 86_400, 3_650)
    .default(30)
    .describe('How long a direct user whose address nobody proves is kept, days'),
  LOGIN_CODE_FAILURES_ALERT: integerSetting(1, 2_000)
    .default(500)
    .describe(
      'Wrong guesses of login codes within 10 minutes, over all accounts and replicas; more are logged as one warning',
    ),
  RATE_LIMIT_SCALE: atMostInProduction(numberSetting(0.001, 100_000), 2)
    .default(1)
    .describe(
      'Multiplies the limits of codes, sign-ups, resends and mails to one address: development and load tests',
    ),
});

export type IdentityConfig = z.output<typeof identityConfig>;
