import type { ApiKey } from '../domain/api-key.ts';
import { isAddressIn, isNetworkWithin } from './networks.ts';

export type KeyLimits = Pick<ApiKey, 'scopes' | 'allowed_ips' | 'expires_at'>;

/** The fields, as text for people, in which `key` exceeds `parent`. No networks: from anywhere. */
export function exceededLimits(key: KeyLimits, parent: KeyLimits): string[] {
  const scopes = key.scopes.filter((scope) => !parent.scopes.includes(scope));
  return [
    ...(scopes.length > 0 ? [`scopes (${scopes.join(', ')})`] : []),
    ...(areNetworksWithin(key, parent) ? [] : ['allowed_ips']),
    ...(endsInTime(key, parent) ? [] : ['expires_at']),
  ];
}

/** Whether a key works from this address, or wherever `parent` works. */
export function isUsableFrom(
  key: KeyLimits,
  { address, parent }: { address: string; parent: KeyLimits },
): boolean {
  return (
    key.allowed_ips.length === 0 || isAddressIn(address, key.allowed_ips) || areNetworksWithin(parent, key)
  );
}

/** A rotation can bring a key's end forward, but not postpone it. */
export function successorExpiry(old: Date | null, requested: Date | null): Date | null {
  if (old === null || requested === null) return old ?? requested;
  return requested < old ? requested : old;
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
