import ipaddr from 'ipaddr.js';
import { type Networks, networksFrom, ruleFor } from './networks.ts';

/** What an address is to us; `refused` says why nothing may be sent there. */
export type Judgement = { kind: 'public' } | { kind: 'loopback' } | { kind: 'refused'; reason: string };

const withoutSettings = networksFrom();

/**
 * Only public unicast may be called (webhooks.md, Delivery: SSRF), and what the settings allow. Forms that carry an
 * IPv4 address (mapped, translated, NAT64, 6to4, Teredo) are judged by what they carry.
 */
export function judgeAddress(text: string, networks: Networks = withoutSettings): Judgement {
  if (!ipaddr.isValid(text)) return refused('not an address');
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return judge(address, networks);
  const carried = carriedV4(address);
  if (carried.length === 0) return judge(address, networks);
  const rule = ruleFor(address, networks);
  if (rule?.verdict === 'refused' && !rule.isBuiltIn) return refused(rule.reason);
  return worst(carried.map((one) => judge(one, networks)));
}

function judge(address: ipaddr.IPv4 | ipaddr.IPv6, networks: Networks): Judgement {
  // No setting opens this machine: WEBHOOKS_ALLOW_LOOPBACK does, outside production.
  if (address.range() === 'loopback') return { kind: 'loopback' };
  const rule = ruleFor(address, networks);
  return rule?.verdict === 'public' ? { kind: 'public' } : refused(rule?.reason ?? 'no rule');
}

/** The IPv4 addresses inside: RFC 4291 §2.5.5.2, 6145, 6052, 3056 and 4380 (server, then the client inverted). */
function carriedV4(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const bytes = address.toByteArray();
  const at = (start: number) => new ipaddr.IPv4(bytes.slice(start, start + 4));
  const range = address.range();
  // For translators within one network (RFC 8215): where in it the IPv4 address stands, only that network knows.
  if (address.match(localNat64)) return [];
  if (range === 'ipv4Mapped' || range === 'rfc6145' || range === 'rfc6052') return [at(12)];
  if (range === '6to4') return [at(2)];
  if (range !== 'teredo') return [];
  return [at(4), new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff))];
}

const localNat64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');

/** An embedded loopback is no loopback of ours: it is refused like everything that is not public. */
function worst(judgements: Judgement[]): Judgement {
  const bad = judgements.find((judgement) => judgement.kind !== 'public');
  if (!bad) return { kind: 'public' };
  return bad.kind === 'refused' ? bad : refused('loopback');
}

function refused(why: string): Judgement {
  return { kind: 'refused', reason: `its address is not public (${why})` };
}
