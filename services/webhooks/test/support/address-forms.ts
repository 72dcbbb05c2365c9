/** Addresses as numbers: an IPv4 address has 32 bits, an IPv6 address 128. */
export function ipv4Text(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
}

export function ipv6Text(value: bigint): string {
  return Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)).join(
    ':',
  );
}

export function ipv4Value(text: string): bigint {
  return text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

export function ipv6Value(text: string): bigint {
  const [head = '', tail = ''] = text.split('::').map((half) => half.split(':').filter(Boolean).join(':'));
  const words = (half: string) => (half === '' ? [] : half.split(':'));
  const gap = 8 - words(head).length - words(tail).length;
  const all = [...words(head), ...Array<string>(text.includes('::') ? gap : 0).fill('0'), ...words(tail)];
  return all.reduce((value, word) => (value << 16n) | BigInt(`0x${word}`), 0n);
}

/** First and last address of a network, and the two beside it where they exist. */
export function edgesOf(network: string): { first: string; last: string; before?: string; after?: string } {
  const [base = '', bits = ''] = network.split('/');
  const isV6 = base.includes(':');
  const size = isV6 ? 128 : 32;
  const text = isV6 ? ipv6Text : ipv4Text;
  const first = isV6 ? ipv6Value(base) : ipv4Value(base);
  const last = first + (1n << BigInt(size - Number(bits))) - 1n;
  return {
    first: text(first),
    last: text(last),
    ...(first > 0n && { before: text(first - 1n) }),
    ...(last < (1n << BigInt(size)) - 1n && { after: text(last + 1n) }),
  };
}

const client = (v4: bigint) => v4 ^ 0xffffffffn; // Teredo inverts it, RFC 4380 §4
const publicServer = ipv4Value('65.54.227.120'); // of a Teredo address, any public one

/** The IPv6 forms that carry an IPv4 address, each with its RFC. */
export const carriers: Record<string, (v4: bigint) => bigint> = {
  'mapped (RFC 4291)': (v4) => ipv6Value('::ffff:0:0') | v4,
  'translated (RFC 6145)': (v4) => ipv6Value('::ffff:0:0:0') | v4,
  'NAT64 (RFC 6052)': (v4) => ipv6Value('64:ff9b::') | v4,
  '6to4 (RFC 3056)': (v4) => ipv6Value('2002::') | (v4 << 80n) | 1n,
  'Teredo client (RFC 4380)': (v4) => ipv6Value('2001::') | (publicServer << 64n) | client(v4),
  'Teredo server (RFC 4380)': (v4) => ipv6Value('2001::') | (v4 << 64n) | client(publicServer),
};

/** Numbers that look random and are the same in every run (mulberry32). */
export function* seeded(seed: number): Generator<bigint, never> {
  let state = seed;
  for (;;) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    yield BigInt((mixed ^ (mixed >>> 14)) >>> 0);
  }
}
