import type { Scope } from '@casewatch/contracts';
import type { KeyLimits } from '../../src/credentials/key-limits.ts';
import { rangeOf } from './address-ranges.ts';

const scopes: Scope[] = ['keys', 'check', 'cases:read', 'users:write'];
const addresses = [
  '192.0.2.7',
  '192.0.2.8',
  '192.0.2.200',
  '198.51.100.1',
  '203.0.113.1',
  '2001:db8::1',
  '2001:db9::1',
];
const halfHourMs = 30 * 60 * 1_000;

/**
 * Everything that a key with these limits can be used for, in a small world: each scope, from each of some addresses, at
 * each of some moments. Ends of keys are full hours from now.
 */
export function usesOf({ scopes: own, allowed_ips, expires_at }: KeyLimits): Set<string> {
  const now = Date.now();
  const moments = [1, 3, 5, 7].map((halfHours) => now + halfHours * halfHourMs);
  const at = moments.filter((moment) => expires_at === null || moment < expires_at.getTime());
  const from = addresses.filter((address) => allowed_ips.length === 0 || isIn(address, allowed_ips));
  const uses = scopes
    .filter((scope) => own.includes(scope))
    .flatMap((scope) => from.flatMap((address) => at.map((_, i) => `${scope} from ${address} in ${i}`)));
  return new Set(uses);
}

function isIn(address: string, networks: readonly string[]): boolean {
  const { first: place } = rangeOf(address);
  return networks.map(rangeOf).some(({ first, last }) => first <= place && place <= last);
}

/** Whether each use of the one is a use of the other. */
export function isSubsetOf(these: ReadonlySet<string>, those: ReadonlySet<string>): boolean {
  return [...these].every((use) => those.has(use));
}
