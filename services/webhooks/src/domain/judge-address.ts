import ipaddr from 'ipaddr.js';
import { type Networks, networksFrom, ruleFor } from './networks.ts';

export type Judgement = { kind: 'public' } | { kind: 'loopback' } | { kind: 'refused'; reason: string };

const withoutSettings = networksFrom();

/** Allows public unicast and networks of the settings. IPv4 addresses inside IPv6 decide (webhooks.md, Delivery: SSRF). */
export function judgeAddress(text: string, networks: Networks = withoutSettings): Judgement {
  if (!ipaddr.isValid(text)) return refused('not an address');
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return judge(address, networks);
  const embedded = embeddedV4(address);
  if (embedded.length === 0) return judge(address, networks);
  const rule = ruleFor(address, networks);
  if (rule?.verdict === 'refused' && !rule.isBuiltIn) return refused(rule.reason);
  return strictest(embedded.map((inner) => judge(inner, networks)));
}

function judge(address: ipaddr.IPv4 | ipaddr.IPv6, networks: Networks): Judgement {
  if (address.range() === 'loopback') return { kind: 'loopback' };
  const rule = ruleFor(address, networks);
  return rule?.verdict === 'public' ? { kind: 'public' } : refused(rule?.reason ?? 'no rule');
}

/** IPv4 addresses inside: RFC 4291 §2.5.5.2, 6145, 6052, 3056 and 4380 (server, then inverted client). */
function embeddedV4(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const bytes = address.toByteArray();
  const at = (start: number) => new ipaddr.IPv4(bytes.slice(start, start + 4));
  const range = address.range();
  // RFC 8215: only the local network knows the position of the IPv4 address.
  if (address.match(localNat64)) return [];
  if (range === 'ipv4Mapped' || range === 'rfc6145' || range === 'rfc6052') return [at(12)];
  if (range === '6to4') return [at(2)];
  if (range !== 'teredo') return [];
  return [at(4), new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff))];
}

const localNat64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');

function strictest(judgements: Judgement[]): Judgement {
  const bad = judgements.find((judgement) => judgement.kind !== 'public');
  if (!bad) return { kind: 'public' };
  return bad.kind === 'refused' ? bad : refused('loopback');
}

function refused(reason: string): Judgement {
  return { kind: 'refused', reason: `its address is not public (${reason})` };
}
