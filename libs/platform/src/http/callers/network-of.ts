import { createHmac, hkdfSync } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { PrivateJwk } from '../../settings/config.ts';

/** An IPv4 address, or the IPv6 /64 (one household or server). An IPv4-mapped address (RFC 4291 §2.5.5) is its IPv4 address. */
export function networkOf(address: string): string {
  return prefixOf(address, 4);
}

/** The IPv6 /48, which one owner may have (RFC 6177); otherwise the network. */
export function siteOf(address: string): string {
  return prefixOf(address, 3);
}

/** The /24 or /48 of an address (firm.md §2); null for what is no address. */
export function shortNetworkOf(address: string): string | null {
  const [bare = ''] = address.split('%');
  if (!ipaddr.isValid(bare)) return null;
  const parsed = ipaddr.process(bare);
  const bits = parsed.kind() === 'ipv4' ? 24 : 48;
  const kept = parsed.toByteArray().map((byte, i) => (i < bits / 8 ? byte : 0));
  return `${ipaddr.fromByteArray(kept)}/${bits}`;
}

/** @param groups of 16 bits that an IPv6 address keeps */
function prefixOf(address: string, groups: 3 | 4): string {
  const [bare = ''] = address.split('%');
  const kind = isIP(bare);
  if (kind === 4) return bare;
  // X-Forwarded-For of a trusted proxy may have any text.
  if (kind === 0) return 'unknown';
  const parsed = ipaddr.IPv6.parse(bare);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const prefix = parsed.parts.slice(0, groups).map((group) => group.toString(16));
  return `${prefix.join(':')}::/${groups * 16}`;
}

/** Names a caller's network in logs: the first 64 bits of an HMAC, as hex. Its key is derived from the gateway's signing key. */
export function networkHasher(key: PrivateJwk): (address: string) => string {
  const hmacKey = Buffer.from(hkdfSync('sha256', Buffer.from(key.d, 'base64url'), '', 'network in logs', 32));
  return (address) => createHmac('sha256', hmacKey).update(networkOf(address)).digest('hex').slice(0, 16);
}
