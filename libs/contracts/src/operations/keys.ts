import { z } from 'zod';
import { idText, name } from '../fields.ts';
import { operation } from '../operation.ts';
import { scope, scopes } from '../principal.ts';
import { apiKey, apiKeyRead, apiKeyWithSecret, maxAllowedIps } from '../resources/api-key.ts';
import { done, maxRows, page, paging, timeText } from './common.ts';

/** An address or a range in CIDR notation, IPv4 or IPv6. */
const addressOrRange = z.union([z.ipv4().max(15), z.ipv6().max(45), z.cidrv4().max(18), z.cidrv6().max(49)], {
  error: 'must be an IP address or a range such as 192.0.2.0/24',
});

const params = z.strictObject({ key_id: idText });
const day = 24 * 60 * 60;

/** A partner's own key pairs (interface.md §4, Partner keys). */
export const keyOperations = {
  list_keys: operation({
    service: 'identity',
    method: 'GET',
    path: '/v1/client/keys',
    summary: 'List API keys',
    note: 'Returns your API keys, including keys that have expired or were revoked.',
    who: ['partner'],
    scope: 'keys',
    role: 'owner',
    query: z.strictObject(paging),
    success: { status: 200, body: z.strictObject({ keys: z.array(apiKeyRead).max(maxRows), ...page }) },
    errors: ['invalid_cursor'],
  }),
  create_key: operation({
    service: 'identity',
    method: 'POST',
    path: '/v1/client/keys',
    summary: 'Create an API key',
    note: 'Creates an API key. The new key cannot have more permissions than the calling key. At most two keys can be active. The secret is shown only once.',
    idempotent: true,
    who: ['partner'],
    scope: 'keys',
    role: 'owner',
    isSensitive: true,
    recorded: 'effect',
    body: z.strictObject({
      name: name.default('key').describe('Your name for the key pair.'),
      // Left out: as the calling key has them.
      scopes: z.array(scope).min(1).max(scopes.length).optional(),
      allowed_ips: z.array(addressOrRange).max(maxAllowedIps).optional(),
      expires_at: timeText.nullable().optional(),
    }),
    success: { status: 201, body: z.strictObject({ ...done, key: apiKeyWithSecret }) },
    errors: ['key_limit_reached'],
  }),
  rotate_key: operation({
    service: 'identity',
    method: 'POST',
    path: '/v1/client/keys/{key_id}/rotate',
    summary: 'Rotate an API key',
    note: 'Creates a new key that replaces this key and does not expire later. Both keys work for `overlap_seconds`.',
    idempotent: true,
    who: ['partner'],
    scope: 'keys',
    role: 'owner',
    isSensitive: true,
    recorded: 'effect',
    params,
    body: z.strictObject({
      overlap_seconds: z
        .int()
        .min(0)
        .max(30 * day)
        .default(day),
      expires_at: timeText.nullable().default(null),
    }),
    success: {
      status: 201,
      body: z.strictObject({ ...done, key: apiKeyWithSecret, replaced_key: apiKey }),
    },
    errors: ['key_not_found', 'key_limit_reached', 'last_key'],
  }),
  revoke_key: operation({
    service: 'identity',
    method: 'DELETE',
    path: '/v1/client/keys/{key_id}',
    summary: 'Revoke an API key',
    note: 'Revokes the key. It stops working everywhere within 2 s. A key with more permissions than the calling key cannot be revoked.',
    who: ['partner'],
    scope: 'keys',
    role: 'owner',
    isSensitive: true,
    recorded: 'effect',
    params,
    success: { status: 200, body: z.strictObject({ ...done, key: apiKey }) },
    errors: ['key_not_found', 'last_key'],
  }),
};
