import { BlockList } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { judgeAddress } from '../../src/domain/judge-address.ts';
import { carriers, edgesOf, ipv4Text, ipv6Text, seeded } from '../support/address-forms.ts';
import { furtherIpv4, furtherIpv6, specialIpv4, specialIpv6 } from '../support/iana-special-purpose.ts';

const isPublic = (address: string) => judgeAddress(address).kind === 'public';

/** An independent judge: Node's own list, made of IANA's rows. */
const notForEverybody = new BlockList();
for (const network of [...specialIpv4, ...furtherIpv4]) {
  const [base = '', bits] = network.split('/');
  notForEverybody.addSubnet(base, Number(bits));
}

/** Random addresses, and the edges of every special network, where a mistake would be. */
function* manyIpv4(): Generator<string> {
  for (const network of [...specialIpv4, ...furtherIpv4]) yield* Object.values(edgesOf(network));
  let left = 5_000;
  for (const value of seeded(15)) {
    if (left-- === 0) return;
    yield ipv4Text(value);
  }
}

describe('an address', () => {
  it.each([...specialIpv4, ...furtherIpv4, ...specialIpv6, ...furtherIpv6])(
    'is refused at the first and the last of %s',
    (network) => {
      const { first, last } = edgesOf(network);
      expect([first, last].filter(isPublic)).toEqual([]);
    },
  );

  it('of IPv4 is public where no registry says otherwise', () => {
    const wrong = [...manyIpv4()].filter((address) => isPublic(address) === notForEverybody.check(address));
    expect(wrong).toEqual([]);
  });

  it.each([
    '2000::',
    '2001:200::',
    '2001:db7:ffff::',
    '2003::',
    '2606:4700::1111',
    '3ffe:ffff::',
    '3fff:1000::',
  ])('of IPv6 is public within 2000::/3 beside the special networks: %s', (address) =>
    expect(isPublic(address)).toBe(true),
  );

  it.each(['1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '4000::', '8000::1', '::2', '::7f00:1'])(
    'of IPv6 is refused outside 2000::/3 (RFC 4291): %s',
    (address) => expect(isPublic(address)).toBe(false),
  );

  it.each(Object.entries(carriers))(
    'in the form %s has the verdict of the IPv4 address it carries',
    (_form, carry) => {
      const wrong = [...manyIpv4()].filter((address) => {
        const value = address.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
        return isPublic(ipv6Text(carry(value))) !== isPublic(address);
      });
      expect(wrong).toEqual([]);
    },
  );
});
