import { BlockList, isIP } from 'node:net';

/** `networks`: IP addresses and CIDR ranges. An IPv4-mapped address counts as IPv4. */
export function isAddressIn(address: string, networks: readonly string[]): boolean {
  const family = familyOf(address);
  if (!family) return false;
  const list = new BlockList();
  for (const network of networks) {
    const { base, bits } = parse(network);
    const type = familyOf(base);
    if (!type) continue;
    if (bits === undefined) list.addAddress(base, type);
    else list.addSubnet(base, bits, type);
  }
  return list.check(address, family);
}

export function isNetworkWithin(network: string, ranges: readonly string[]): boolean {
  const length = prefixLength(network);
  const { base } = parse(network);
  return ranges.some((range) => prefixLength(range) <= length && isAddressIn(base, [range]));
}

/** As IPv6: the IPv4 network a.b.c.d/n is ::ffff:a.b.c.d/(96 + n) (RFC 4291 §2.5.5.2). */
function prefixLength(network: string): number {
  const { base, bits } = parse(network);
  return familyOf(base) === 'ipv4' ? 96 + (bits ?? 32) : (bits ?? 128);
}

function parse(network: string): { base: string; bits: number | undefined } {
  const [base = '', bits] = network.split('/');
  return { base, bits: bits === undefined ? undefined : Number(bits) };
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address);
  if (version === 0) return null;
  return version === 4 ? 'ipv4' : 'ipv6';
}
