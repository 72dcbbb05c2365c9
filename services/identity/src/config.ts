import {
  asSecret,
  atLeastInProduction,
  atMostInProduction,
  baseSettings,
  httpAddress,
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

export const identityConfig = z.object({
  ...baseSettings,
  ...storeSettings,
  ...principalSettings,
  PUBLIC_URL: httpsInProduction(httpAddress()).describe(
    'Public address of the gateway. Links in e-mails begin with it; it is also the issuer of access tokens',
  ),
  SECRET_PEPPER: keyRingSetting.describe(
    'Key of all keyed hashes (API secrets, codes, links, refresh tokens); it also encrypts signing keys and the keys of second factors',
  ),
  TOKEN_SIGNING_KEYS: asSecret(jsonSetting(z.object({ keys: z.array(privateJwk).min(1) })), notDemo)
    .optional()
    .describe(
      'Private ES256 keys of access tokens (JWKS as JSON); the first one signs. Used only at the first start. Default: identity creates a key',
    ),
  CURSOR_KEY: keyRingSetting.describe('Key that signs the cursors of lists; the same for all replicas'),
  SIGN_UP_KEPT_DAYS: numberSetting(1 / 86_400, 3_650)
    .default(30)
    .describe('Days after which a direct user who never verified an address is erased'),
  STAFF_ADDRESS_KEPT_DAYS: numberSetting(1 / 86_400, 365)
    .default(30)
    .describe('Days after the removal of a staff member until the e-mail address is deleted'),
  LOGIN_CODE_FAILURES_ALERT: integerSetting(1, 2_000)
    .default(500)
    .describe(
      'Number of wrong login codes within 10 minutes, over all accounts and replicas. More cause one warning in the log',
    ),
  ADDRESS_BATCH_MS: atLeastInProduction(integerSetting(10, 5_000), 500)
    .default(500)
    .describe(
      'Interval at which codes, sign-ups and changes of an address are processed, ms. Immediate processing would reveal by response time which addresses have an account; tests use less',
    ),
  RATE_LIMIT_SCALE: atMostInProduction(numberSetting(0.001, 100_000), 2)
    .default(1)
    .describe(
      'Factor on the limits of codes, sign-ups, resends and e-mails to one address; for development and load tests',
    ),
});

export type IdentityConfig = z.output<typeof identityConfig>;
