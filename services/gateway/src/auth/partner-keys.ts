import type { PartnerPrincipal } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import { LRUCache } from 'lru-cache';
import type { Credentials } from './credentials.ts';

export type PartnerKeys = {
  /** @throws ApiError as identity judges the pair: invalid_api_key, api_key_revoked, partner_suspended, ip_not_allowed … */
  verify(keys: NonNullable<Credentials['keys']>, address: string): Promise<PartnerPrincipal>;
};

/** How long a verified pair is trusted without asking again, ms. */
const trustedForMs = 1_500;

/**
 * Partner keys, verified through identity. A verified pair is remembered for a moment; a refused one never, and
 * parallel requests with the same pair ask once.
 */
export function createPartnerKeys(bus: Bus): PartnerKeys {
  const cache = new LRUCache<string, Promise<PartnerPrincipal>>({ max: 10_000, ttl: trustedForMs });
  return {
    verify(keys, address) {
      // The address is part of the key: a pair may be allowed from some addresses only.
      const id = `${keys.api_key}\n${keys.secret_sha256}\n${address}`;
      const known = cache.get(id);
      if (known) return known;
      const asked = bus.request('identity.authenticate', { ...keys, address });
      cache.set(id, asked);
      asked.catch(() => cache.delete(id));
      return asked;
    },
  };
}
