import type { Fault } from '@casewatch/contracts';

/** Headers that we or HTTP set, such as hop-by-hop headers (RFC 9110 §7.6.1). */
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

const reservedPrefixes = ['webhook-', 'proxy-'];

/** Faults of an endpoint's own headers (webhooks.md, Delivery). */
export function headerFaults(headers: Readonly<Record<string, string>>): Fault[] {
  const seen = new Set<string>();
  return Object.keys(headers).flatMap((name) => {
    const lower = name.toLowerCase();
    const isDuplicate = seen.has(lower);
    seen.add(lower);
    if (isReserved(lower)) return [fault(name, 'reserved_header', 'is set by Casewatch or by HTTP')];
    return isDuplicate ? [fault(name, 'duplicate', 'is duplicated')] : [];
  });
}

function isReserved(name: string): boolean {
  return reserved.has(name) || reservedPrefixes.some((prefix) => name.startsWith(prefix));
}

/** A JSON Pointer escapes `~` (RFC 6901 §3). */
function fault(name: string, code: string, message: string): Fault {
  return { in: 'body', pointer: `#/headers/${name.replaceAll('~', '~0')}`, code, message };
}
