import { type ApiKeyShown, toIso } from '@casewatch/contracts';
import type { ApiKey } from '../domain/api-key.ts';

export function presentKey(key: ApiKey, time: typeof toIso = toIso): ApiKeyShown {
  return {
    id: key._id,
    name: key.name,
    api_key: key.api_key,
    scopes: key.scopes,
    allowed_ips: key.allowed_ips,
    replaced_by: key.replaced_by,
    created_at: time(key.created_at),
    last_used_at: time(key.last_used_at),
    expires_at: time(key.expires_at),
    revoked_at: time(key.revoked_at),
  };
}
