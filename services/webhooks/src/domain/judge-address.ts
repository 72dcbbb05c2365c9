import ipaddr from 'ipaddr.js';

/** What an address is to us; `refused` says why nothing may be sent there. */
export type Judgement = { kind: 'public' } | { kind: 'loopback' } | { kind: 'refused'; reason: string };

const isPublic: Judgement = { kind: 'public' };

/**
 * Only public unicast may be called (webhooks.md, Delivery: SSRF). Forms that carry an IPv4 address (mapped,
 * translated, NAT64, 6to4, Teredo) are judged by what they carry.
 */
export function judgeAddress(text: string): Judgement {
  if (!ipaddr.isValid(text)) return refused('unknown');
  const address = ipaddr.parse(text);
  return address.kind() === 'ipv4' ? judgeV4(address as ipaddr.IPv4) : judgeV6(address as ipaddr.IPv6);
}

/** Azure's metadata address, which looks public. */
const azureMetadata = '168.63.129.16';

function judgeV4(address: ipaddr.IPv4): Judgement {
  const range = address.range();
  if (range === 'loopback') return { kind: 'loopback' };
  if (range !== 'unicast') return refused(range);
  return address.toString() === azureMetadata ? refused('reserved') : isPublic;
}

/** Global unicast is 2000::/3 (RFC 4291); within it these are not for everybody (IANA special-purpose registry). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const refusedV6 = ['2001::/23', '2001:db8::/32', '3fff::/20'].map((net) => ipaddr.IPv6.parseCIDR(net));
/** For translators within one network (RFC 8215): nobody outside knows where in it the IPv4 address stands. */
const localNat64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');

function judgeV6(address: ipaddr.IPv6): Judgement {
  const range = address.range();
  if (range === 'loopback') return { kind: 'loopback' };
  if (address.match(localNat64)) return refused('reserved');
  const carried = carriedV4(address, range);
  if (carried.length > 0) return worst(carried.map(judgeV4));
  if (range !== 'unicast') return refused(range);
  const isGlobal = address.match(globalUnicast) && !refusedV6.some((net) => address.match(net));
  return isGlobal ? isPublic : refused('reserved');
}

/** The IPv4 addresses inside: RFC 4291 §2.5.5.2, 6145, 6052, 3056 and 4380 (server, then the client inverted). */
function carriedV4(address: ipaddr.IPv6, range: string): ipaddr.IPv4[] {
  const bytes = address.toByteArray();
  const at = (start: number) => new ipaddr.IPv4(bytes.slice(start, start + 4));
  if (range === 'ipv4Mapped' || range === 'rfc6145' || range === 'rfc6052') return [at(12)];
  if (range === '6to4') return [at(2)];
  if (range !== 'teredo') return [];
  return [at(4), new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff))];
}

/** An embedded loopback is no loopback of ours: it is refused like everything that is not public. */
function worst(judgements: Judgement[]): Judgement {
  const bad = judgements.find((judgement) => judgement.kind !== 'public');
  if (!bad) return isPublic;
  return bad.kind === 'refused' ? bad : refused('loopback');
}

/** `carrierGradeNat` → `its address is not public (carrier grade nat)`. */
function refused(range: string): Judgement {
  const words = range.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return { kind: 'refused', reason: `its address is not public (${words})` };
}
