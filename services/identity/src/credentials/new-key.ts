import { type Scope, scopes } from '@casewatch/contracts';
import type { Clock, Ids } from '@casewatch/platform';
import type { ApiKey } from '../domain/api-key.ts';
import { type KeyPair, makeKeyPair, secretSha256 } from './api-key.ts';
import type { Macs } from './macs.ts';

type Options = {
  partnerId: number;
  name: string;
  scopes?: readonly Scope[] | undefined;
  allowedIps?: readonly string[];
  expiresAt?: Date | null;
  pair?: KeyPair;
};

/** A new key and its row. Default: all scopes, from anywhere, without an end (interface.md §4, Partner keys). */
export async function newKey(
  { ids, macs, clock }: { ids: Ids; macs: Macs; clock: Clock },
  { partnerId, name, pair = makeKeyPair(), ...limits }: Options,
): Promise<{ row: ApiKey; pair: KeyPair }> {
  const row = {
    _id: await ids.next('api_keys'),
    partner_id: partnerId,
    name,
    api_key: pair.api_key,
    secret_hmac: macs.hashSecret(secretSha256(pair.api_secret)),
    pepper_id: macs.id,
    scopes: [...(limits.scopes ?? scopes)],
    allowed_ips: [...(limits.allowedIps ?? [])],
    expires_at: limits.expiresAt ?? null,
    revoked_at: null,
    replaced_by: null,
    last_used_at: null,
    created_at: clock.now(),
  };
  return { row, pair };
}
