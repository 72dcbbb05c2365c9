import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * What a network address is counted as: itself, or for IPv6 its /64, since one household or server has a whole one to
 * itself. An IPv4 address in IPv6 form (RFC 4291 §2.5.5) counts as the IPv4 address.
 */
export function networkOf(address: string): string {
  return prefixOf(address, 4);
}

/** The site that an address belongs to: an IPv6 /48, which one owner often has whole (RFC 6177); else as `networkOf`. */
export function siteOf(address: string): string {
  return prefixOf(address, 3);
}

/** @param groups of 16 bits that an IPv6 address keeps */
function prefixOf(address: string, groups: 3 | 4): string {
  const [bare = ''] = address.split('%');
  const kind = isIP(bare);
  if (kind === 4) return bare;
  // A trusted proxy may name anything in X-Forwarded-For: all that is no address counts as one.
  if (kind === 0) return 'unknown';
  const parsed = ipaddr.IPv6.parse(bare);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const kept = parsed.parts.slice(0, groups).map((group) => group.toString(16));
  return `${kept.join(':')}::/${groups * 16}`;
}
