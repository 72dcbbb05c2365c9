/** A network as the numbers of its first and last address, in the IPv6 form (IPv4: ::ffff:0:0/96). */
export type Range = { readonly first: bigint; readonly last: bigint };

/** Worked out digit by digit, without what the service uses. */
export function rangeOf(network: string): Range {
  const [address = '', bits] = network.split('/');
  const isIpv4 = !address.includes(':');
  const length = bits === undefined ? 128 : Number(bits) + (isIpv4 ? 96 : 0);
  const size = 1n << BigInt(128 - length);
  const first = (numberOf(address) / size) * size;
  return { first, last: first + size - 1n };
}

/** The address with this number: IPv4 where it is one, else IPv6. */
export function addressAt(place: bigint): string {
  if (place >> 32n === 0xffffn) {
    return [24n, 16n, 8n, 0n].map((shift) => String((place >> shift) & 0xffn)).join('.');
  }
  const groups = Array.from({ length: 8 }, (_, i) => (place >> BigInt(112 - 16 * i)) & 0xffffn);
  return groups.map((group) => group.toString(16)).join(':');
}

function numberOf(address: string): bigint {
  if (!address.includes(':')) return (0xffffn << 32n) + numberOfIpv4(address);
  const [head = '', tail = ''] = address.split('::');
  const left = groupsOf(head);
  const right = groupsOf(tail);
  const middle = Array<bigint>(8 - left.length - right.length).fill(0n);
  return [...left, ...middle, ...right].reduce((sum, group) => (sum << 16n) + group, 0n);
}

function groupsOf(text: string): bigint[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)];
    const last = numberOfIpv4(group);
    return [last >> 16n, last & 0xffffn];
  });
}

function numberOfIpv4(address: string): bigint {
  return address.split('.').reduce((sum, byte) => (sum << 8n) + BigInt(byte), 0n);
}
