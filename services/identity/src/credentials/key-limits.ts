import type { ApiKey } from '../domain/api-key.ts';
import { isNetworkWithin } from './networks.ts';

/** Everything that limits what a key may do, from where and until when. */
export type KeyLimits = Pick<ApiKey, 'scopes' | 'allowed_ips' | 'expires_at'>;

/**
 * The fields by which `key` may do more than `parent`, for people; none where it is within it. No networks: from anywhere; no
 * end: until it is revoked.
 */
export function exceededLimits(key: KeyLimits, parent: KeyLimits): string[] {
  const scopes = key.scopes.filter((scope) => !parent.scopes.includes(scope));
  return [
    ...(scopes.length > 0 ? [`scopes (${scopes.join(', ')})`] : []),
    ...(areNetworksWithin(key, parent) ? [] : ['allowed_ips']),
    ...(endsInTime(key, parent) ? [] : ['expires_at']),
  ];
}

/** When the successor of a key ends: a rotation may bring the end forward, never put it off or remove it. */
export function successorExpiry(old: Date | null, asked: Date | null): Date | null {
  if (old === null || asked === null) return old ?? asked;
  return asked < old ? asked : old;
}

function areNetworksWithin(key: KeyLimits, parent: KeyLimits): boolean {
  if (parent.allowed_ips.length === 0) return true;
  if (key.allowed_ips.length === 0) return false;
  return key.allowed_ips.every((network) => isNetworkWithin(network, parent.allowed_ips));
}

function endsInTime(key: KeyLimits, parent: KeyLimits): boolean {
  if (parent.expires_at === null) return true;
  return key.expires_at !== null && key.expires_at <= parent.expires_at;
}
