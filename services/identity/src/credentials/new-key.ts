import { scopes } from '@casewatch/contracts';
import type { Clock } from '@casewatch/platform';
import type { Ids } from '@casewatch/platform/database';
import type { ApiKey } from '../domain/api-key.ts';
import { type KeyPair, makeKeyPair, secretSha256 } from './api-key.ts';
import type { Macs } from './macs.ts';

type NewKey = Pick<ApiKey, 'partner_id' | 'name'> &
  Partial<Pick<ApiKey, 'scopes' | 'allowed_ips' | 'expires_at'>> & { readonly pair?: KeyPair };

/** A new key and its row. Default: all scopes, from anywhere, without an end (interface.md §4, Partner keys). */
export async function newKey(
  { ids, macs, clock }: { ids: Ids; macs: Macs; clock: Clock },
  { partner_id, name, pair = makeKeyPair(), ...limits }: NewKey,
): Promise<{ row: ApiKey; pair: KeyPair }> {
  const row = {
    _id: await ids.next('api_keys'),
    partner_id,
    name,
    api_key: pair.api_key,
    secret_hmac: macs.hashSecret(secretSha256(pair.api_secret)),
    pepper_id: macs.id,
    scopes: [...(limits.scopes ?? scopes)],
    allowed_ips: limits.allowed_ips ?? [],
    expires_at: limits.expires_at ?? null,
    revoked_at: null,
    replaced_by: null,
    last_used_at: null,
    created_at: clock.now(),
  };
  return { row, pair };
}
