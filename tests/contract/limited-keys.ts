import { type OperationName, scopes } from '@casewatch/contracts';
import { createPartner, type PartnerKeys } from '@casewatch/driver';
import { newPartner } from '../support/operator.ts';
import type { System } from '../support/system.ts';

/** The live keys of one partner: one that may do everything, and one that is limited. */
export type KeysOfPartner = { fullId: number; limited: PartnerKeys };

const hourMs = 60 * 60 * 1_000;

/** Each limit of a key alone. The networks are all addresses: the key works wherever the tests run. */
export const limitedKeys: [what: string, limits: object][] = [
  ['scopes', { scopes: ['keys', 'users:read'] }],
  ['networks', { allowed_ips: ['0.0.0.0/0', '::/0'] }],
  ['an end', { expires_at: new Date(Date.now() + hourMs).toISOString() }],
];

type KeyRequest = (keys: KeysOfPartner) => { method: string; path: string; body?: object };

const at = (id: number, path = '') => `/v1/client/keys/${id}${path}`;
const unlimited = { scopes: [...scopes], allowed_ips: [], expires_at: null };

/** What the limited key asks for, and the status. 409: allowed, but a partner has two live keys at most. In this order. */
export const keyRequests: [name: OperationName, what: string, request: KeyRequest, status: number][] = [
  ['list_keys', 'of the partner', () => ({ method: 'GET', path: '/v1/client/keys' }), 200],
  ['create_key', 'without limits', () => ({ method: 'POST', path: '/v1/client/keys', body: unlimited }), 403],
  ['create_key', 'like itself', () => ({ method: 'POST', path: '/v1/client/keys', body: {} }), 409],
  [
    'rotate_key',
    'that may do more',
    ({ fullId }) => ({ method: 'POST', path: at(fullId, '/rotate'), body: {} }),
    403,
  ],
  [
    'rotate_key',
    'itself',
    ({ limited }) => ({ method: 'POST', path: at(limited.id, '/rotate'), body: {} }),
    409,
  ],
  // The console has the scopes of the limited key, and makes keys within its limits.
  [
    'create_console_link',
    'for itself',
    () => ({ method: 'POST', path: '/v1/client/console-links', body: { actor: 'a' } }),
    200,
  ],
  ['revoke_key', 'that may do more', ({ fullId }) => ({ method: 'DELETE', path: at(fullId) }), 403],
  ['revoke_key', 'itself', ({ limited }) => ({ method: 'DELETE', path: at(limited.id) }), 200],
];

/** A new partner, and a second key with these limits, made by its first one. */
export async function keysOfPartner(system: System, name: string, limits: object): Promise<KeysOfPartner> {
  const full = await newPartner(system.dataDir, name);
  const limited = await createPartner(system.dev(), full).newKey(limits);
  return { fullId: full.key_id, limited };
}
