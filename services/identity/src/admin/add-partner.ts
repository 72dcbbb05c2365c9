import { scopes } from '@casewatch/contracts';
import { type KeyPair, secretSha256 } from '../credentials/api-key.ts';
import type { ApiKey } from '../store/api-keys.ts';
import type { Partner } from '../store/partners.ts';
import type { AdminContext } from './admin-context.ts';

export async function newPartner(
  ctx: AdminContext,
  { name, email }: { name: string; email: string },
): Promise<Partner> {
  const now = ctx.clock.now();
  return {
    _id: await ctx.ids.next('partners'),
    name,
    email,
    status: 'active',
    logo_url: null,
    notify_unverified: false,
    case_url: null,
    reply_to: null,
    support_contact: null,
    version: 1,
    created_at: now,
    updated_at: now,
  };
}

/** A new key may do everything, from everywhere, until it is revoked (interface.md §4, Partner keys). */
export async function newKey(
  ctx: AdminContext,
  { partnerId, name, pair }: { partnerId: number; name: string; pair: KeyPair },
): Promise<ApiKey> {
  return {
    _id: await ctx.ids.next('api_keys'),
    partner_id: partnerId,
    name,
    api_key: pair.api_key,
    secret_hmac: ctx.macs.ofSecretHash(secretSha256(pair.api_secret)),
    scopes: [...scopes],
    allowed_ips: [],
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    created_at: ctx.clock.now(),
  };
}
