import { isIP } from 'node:net';

/**
 * What a network address is counted as: itself, or for IPv6 its /64, since one household or server has a whole one to
 * itself. An IPv4 address in IPv6 form (RFC 4291 §2.5.5.2) counts as the IPv4 address.
 */
export function networkOf(address: string): string {
  return prefixOf(address, 64);
}

/** The same for IPv6 by its /48: what a whole site usually has, so that its 65,536 /64s do not each count alone. */
export function siteOf(address: string): string {
  return prefixOf(address, 48);
}

function prefixOf(address: string, bits: 48 | 64): string {
  const [bare = ''] = address.split('%');
  const kind = isIP(bare);
  if (kind === 4) return bare;
  // A trusted proxy may name anything in X-Forwarded-For: all that is no address counts as one.
  if (kind === 0) return 'unknown';
  const groups = groupsOf(bare);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return [...bytesOf(groups[6]), ...bytesOf(groups[7])].join('.');
  }
  const prefix = groups.slice(0, bits / 16).map((group) => group.toString(16));
  return `${prefix.join(':')}::/${bits}`;
}

/** The eight 16-bit groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL standard's form is hexadecimal throughout, with at most one `::`.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const left = numbersOf(head);
  if (tail === undefined) return left;
  const right = numbersOf(tail);
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function numbersOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

function bytesOf(group = 0): [number, number] {
  return [group >> 8, group & 0xff];
}
