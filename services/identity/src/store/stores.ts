import type { Connection } from '@casewatch/platform';
import { createAddressRequestStore } from './address-requests.ts';
import { createApiKeyStore } from './api-keys.ts';
import { createEmailVerificationStore } from './email-verifications.ts';
import { createLoginChallengeStore } from './login-challenges.ts';
import { createPartnerStore } from './partners.ts';
import { createRateLimitStore } from './rate-limits.ts';
import { createSessionStore } from './sessions.ts';
import { createUserStore } from './users.ts';

export type Stores = ReturnType<typeof createStores>;

/** Every collection of identity's own. */
export function createStores(db: Connection) {
  return {
    users: createUserStore(db),
    partners: createPartnerStore(db),
    apiKeys: createApiKeyStore(db),
    loginChallenges: createLoginChallengeStore(db),
    emailVerifications: createEmailVerificationStore(db),
    addressRequests: createAddressRequestStore(db),
    sessions: createSessionStore(db),
    rateLimits: createRateLimitStore(db),
  };
}

/** Makes collections and indexes that are not there yet; harmless from many replicas at once. */
export async function prepareStores(stores: Stores): Promise<void> {
  for (const store of Object.values(stores)) await store.prepare();
}
