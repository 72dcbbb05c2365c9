import { carriers, ipv6Text } from './address-forms.ts';

type Random = (below: number) => number;

/** A URL that leads to an IPv4 address, in one of the many ways in which a URL can write it (URL Standard, host parsing). */
export function hostileUrl(address: bigint, random: Random): string {
  const scheme = pick(['https://', 'HTTPS://', 'https:/', 'https:', 'https:////'], random);
  const port = pick(['', '', ':443', ':8443', ':00443'], random);
  const path = pick(['', '/', '/a?b=c', '/latest/meta-data/', '/%00', '/../..'], random);
  const host = random(3) === 0 ? ipv6Host(address, random) : disguised(ipv4Host(address, random), random);
  return `${scheme}${host}${port}${path}`;
}

/** One to four parts; the last has the rest of the address. Each is decimal, octal or hexadecimal. */
function ipv4Host(address: bigint, random: Random): string {
  const parts = 1 + random(4);
  const restBits = BigInt(8 * (5 - parts));
  const leading = Array.from({ length: parts - 1 }, (_, i) => (address >> BigInt(24 - 8 * i)) & 0xffn);
  const values = [...leading, address & ((1n << restBits) - 1n)];
  const text = values.map((value) => numberText(value, random)).join('.');
  return random(4) === 0 ? `${text}.` : text;
}

function numberText(value: bigint, random: Random): string {
  const zeros = '0'.repeat(random(3));
  return pick(
    [
      `${value}`,
      `0${zeros}${value.toString(8)}`,
      `0x${zeros}${value.toString(16)}`,
      `0X${value.toString(16).toUpperCase()}`,
    ],
    random,
  );
}

/** Full-width characters, the ideographic full stop and percent-encoding become ASCII when a URL is parsed. */
function disguised(host: string, random: Random): string {
  const way = random(4);
  const fullWidth = (character: string) => String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0);
  if (way === 0) return host.replace(/[0-9a-zA-Z]/g, (c) => (random(2) === 0 ? c : fullWidth(c)));
  if (way === 1) return host.replaceAll('.', () => pick(['.', '\u3002', '\uff0e', '\uff61'], random));
  if (way === 2)
    return host.replace(/[0-9]/g, (c) => (random(2) === 0 ? c : `%${c.charCodeAt(0).toString(16)}`));
  return host;
}

function ipv6Host(address: bigint, random: Random): string {
  const carry = pick(Object.values(carriers), random);
  const text = ipv6Text(carry(address));
  return `[${random(2) === 0 ? text : text.toUpperCase()}]`;
}

function pick<T>(values: readonly T[], random: Random): T {
  return values[random(values.length)] as T;
}
