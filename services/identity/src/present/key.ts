import { type ApiKeyShown, toIso, toPartnerTime } from '@casewatch/contracts';
import type { ApiKey } from '../domain/api-key.ts';

/** A key with ISO times. */
export function presentKey(key: ApiKey): ApiKeyShown {
  return {
    id: key._id,
    name: key.name,
    api_key: key.api_key,
    scopes: key.scopes,
    allowed_ips: key.allowed_ips,
    replaced_by: key.replaced_by,
    created_at: toIso(key.created_at),
    last_used_at: toIso(key.last_used_at),
    expires_at: toIso(key.expires_at),
    revoked_at: toIso(key.revoked_at),
  };
}

/** The same with partner times: GET under /v1/client. */
export function presentKeyRead(key: ApiKey): ApiKeyShown {
  return {
    ...presentKey(key),
    created_at: toPartnerTime(key.created_at),
    last_used_at: toPartnerTime(key.last_used_at),
    expires_at: toPartnerTime(key.expires_at),
    revoked_at: toPartnerTime(key.revoked_at),
  };
}
