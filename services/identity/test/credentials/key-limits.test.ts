import type { Scope } from '@casewatch/contracts';
import { seededRandom } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { exceededLimits, type KeyLimits, successorExpiry } from '../../src/credentials/key-limits.ts';
import { isAddressIn, isNetworkWithin } from '../../src/credentials/networks.ts';
import { addressAt, rangeOf } from '../support/address-ranges.ts';
import { isSubsetOf, usesOf } from '../support/key-uses.ts';

const scopeSets: Scope[][] = [['keys'], ['keys', 'check'], ['check'], ['keys', 'check', 'cases:read']];
const networkSets = [
  [],
  ['192.0.2.0/24'],
  ['192.0.2.7'],
  ['192.0.2.128/25', '198.51.100.1'],
  ['0.0.0.0/0'],
  ['::ffff:192.0.2.0/120'],
  ['2001:db8::/32'],
  ['::/0'],
];
const hourMs = 60 * 60 * 1_000;
const now = Date.now();
const ends = [null, new Date(now + hourMs), new Date(now + 2 * hourMs)];
const keys: KeyLimits[] = scopeSets.flatMap((scopes) =>
  networkSets.flatMap((allowed_ips) => ends.map((expires_at) => ({ scopes, allowed_ips, expires_at }))),
);

const uses = new Map(keys.map((key) => [key, usesOf(key)]));
const usesBy = (key: KeyLimits) => uses.get(key) ?? new Set<string>();
const isSubset = (key: KeyLimits, parent: KeyLimits) => isSubsetOf(usesBy(key), usesBy(parent));
const isWithin = (key: KeyLimits, parent: KeyLimits) => exceededLimits(key, parent).length === 0;

describe('a key within another', () => {
  it('can be used for nothing that the other cannot: every pair of a small world', () => {
    const wrong = keys.flatMap((key) =>
      keys
        .filter((parent) => isWithin(key, parent) && !isSubset(key, parent))
        .map((parent) => ({ key, parent })),
    );
    expect(wrong).toEqual([]);
  });

  it('is every key that can be used for nothing more, but for networks that are all addresses in other words', () => {
    const everywhere = (key: KeyLimits) => key.allowed_ips.length === 0 || key.allowed_ips.includes('::/0');
    const refused = keys.flatMap((key) =>
      keys
        .filter((parent) => !isWithin(key, parent) && isSubset(key, parent))
        .map((parent) => ({ key, parent })),
    );
    expect(refused.filter(({ key, parent }) => !(everywhere(key) && everywhere(parent)))).toEqual([]);
  });

  it('is the key itself, and each of its successors', () => {
    for (const key of keys) {
      expect(exceededLimits(key, key)).toEqual([]);
      for (const asked of ends) {
        const successor = { ...key, expires_at: successorExpiry(key.expires_at, asked) };
        expect(exceededLimits(successor, key)).toEqual([]);
        if (asked !== null) expect(exceededLimits(successor, { ...key, expires_at: asked })).toEqual([]);
      }
    }
  });
});

describe('a network within another', () => {
  const seed = 20_261_122;
  it(`has no address outside it: 10,000 pairs (seed ${seed})`, () => {
    const random = seededRandom(seed);
    const wrong: unknown[] = [];
    let within = 0;
    for (let i = 0; i < 10_000; i++) {
      const [network, other] = [someNetwork(random), someNetwork(random)];
      const [a, b] = [rangeOf(network), rangeOf(other)];
      const expected = b.first <= a.first && a.last <= b.last;
      within += expected ? 1 : 0;
      if (isNetworkWithin(network, [other]) !== expected) wrong.push([network, other]);
      // As a caller is judged: by both ends of the range, and the addresses beside the other.
      for (const place of [a.first, a.last, b.first - 1n, b.last + 1n]) {
        if (place < 0n || place >> 128n !== 0n) continue;
        const isIn = b.first <= place && place <= b.last;
        if (isAddressIn(addressAt(place), [other]) !== isIn) wrong.push([addressAt(place), other]);
      }
    }
    expect(wrong).toEqual([]);
    expect(within).toBeGreaterThan(500);
  });

  it('is one with a host part, too', () => {
    expect(isNetworkWithin('192.0.2.77/24', ['192.0.2.0/24'])).toBe(true);
    expect(isNetworkWithin('192.0.2.0/24', ['192.0.2.77/24'])).toBe(true);
    expect(isNetworkWithin('192.0.2.0/23', ['192.0.2.77/24'])).toBe(false);
  });
});

/** IPv4, IPv6 and mapped ones, few enough that they often meet. */
function someNetwork(random: (below: number) => number): string {
  const v4 = () => `192.0.${random(2)}.${random(256)}`;
  const v6 = () => `2001:db8:${random(2)}::${random(3).toString(16)}:${random(3)}`;
  const kinds = [
    () => v4(),
    () => `${v4()}/${random(33)}`,
    () => v6(),
    () => `${v6()}/${random(129)}`,
    () => `::ffff:${v4()}`,
    () => `::ffff:${v4()}/${random(129)}`,
  ];
  return (kinds[random(kinds.length)] ?? v4)();
}
