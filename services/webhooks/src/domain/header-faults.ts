import type { Fault } from '@casewatch/contracts';

/** Ours, Host, those of one hop (RFC 9110 §7.6.1), and what would break the message's framing. */
const reserved = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'user-agent',
  'traceparent',
  'tracestate',
  'host',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'http2-settings',
]);

/** Families that are ours or one hop's: `webhook-id`, `proxy-authorization`. */
const reservedPrefixes = ['webhook-', 'proxy-'];

/** Why an endpoint's own headers cannot be used: one fault per name (webhooks.md, Delivery). */
export function headerFaults(headers: Readonly<Record<string, string>>): Fault[] {
  const seen = new Set<string>();
  return Object.keys(headers).flatMap((name) => {
    const lower = name.toLowerCase();
    const isTwice = seen.has(lower);
    seen.add(lower);
    if (isReserved(lower)) return [fault(name, 'reserved_header', 'is set by us or by HTTP itself')];
    return isTwice ? [fault(name, 'duplicate', 'is there twice')] : [];
  });
}

function isReserved(name: string): boolean {
  return reserved.has(name) || reservedPrefixes.some((prefix) => name.startsWith(prefix));
}

/** `~` is the one character of a header name that a JSON Pointer escapes (RFC 6901 §3). */
function fault(name: string, code: string, message: string): Fault {
  return { in: 'body', pointer: `#/headers/${name.replaceAll('~', '~0')}`, code, message };
}
