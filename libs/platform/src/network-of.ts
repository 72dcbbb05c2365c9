import { isIP } from 'node:net';

/**
 * What a network address is counted as: itself, or for IPv6 its /64, since one household or server has a whole one to
 * itself. An IPv4 address in IPv6 form (RFC 4291 §2.5.5.2) counts as the IPv4 address.
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
  const all = groupsOf(bare);
  if (all.slice(0, 5).every((group) => group === 0) && all[5] === 0xffff) {
    return [...bytesOf(all[6]), ...bytesOf(all[7])].join('.');
  }
  const kept = all.slice(0, groups).map((group) => group.toString(16));
  return `${kept.join(':')}::/${groups * 16}`;
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
