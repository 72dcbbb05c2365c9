import { z } from 'zod';
import { id, isoTime, partnerTime } from '../fields.ts';
import { scope } from '../principal.ts';

export const maxAllowedIps = 50;

/** interface.md §4, Partner keys. `replaced_by`: the pair that a rotation created. */
export const apiKey = z.strictObject({
  id,
  name: z.string().max(120),
  api_key: z.string().max(64),
  scopes: z.array(scope).max(20),
  allowed_ips: z.array(z.string().max(49)).max(maxAllowedIps),
  replaced_by: id.nullable(),
  created_at: isoTime,
  last_used_at: isoTime.nullable(),
  expires_at: isoTime.nullable(),
  revoked_at: isoTime.nullable(),
});

export const apiKeyRead = apiKey.extend({
  created_at: partnerTime,
  last_used_at: partnerTime.nullable(),
  expires_at: partnerTime.nullable(),
  revoked_at: partnerTime.nullable(),
});

/** Null if the response is replayed for its Idempotency-Key. */
export const apiKeyWithSecret = apiKey.extend({ api_secret: z.string().max(100).nullable() });

export type ApiKeyShown = z.infer<typeof apiKey>;
