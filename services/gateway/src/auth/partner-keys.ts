import type { PartnerPrincipal } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import type { CredentialCache } from './credential-cache.ts';
import type { Credentials } from './credentials.ts';

export type PartnerKeys = {
  /** @throws ApiError invalid_api_key, api_key_revoked, partner_suspended, ip_not_allowed … */
  verify(
    keys: NonNullable<Credentials['keys']>,
    address: string,
    beforeAsking: () => void,
  ): PartnerPrincipal | Promise<PartnerPrincipal>;
};

export function createPartnerKeys(bus: Bus, cache: CredentialCache<PartnerPrincipal>): PartnerKeys {
  return {
    verify(keys, address, beforeAsking) {
      // A key can be limited to some addresses.
      const id = `${keys.api_key}\n${keys.secret_sha256}\n${address}`;
      return cache.get(id, beforeAsking, async () => {
        const { principal, good_until } = await bus.request('identity.authenticate', { ...keys, address });
        return {
          value: principal,
          goodUntil: good_until === null ? null : Date.parse(good_until),
          revokedBy: [
            { kind: 'key', id: principal.key_id },
            { kind: 'partner', id: String(principal.partner_id) },
          ],
        };
      });
    },
  };
}
