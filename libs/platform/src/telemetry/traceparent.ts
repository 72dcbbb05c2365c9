import type { SpanContext } from '@opentelemetry/api';

// version 00, 16-byte trace id, 8-byte parent id, flags (W3C Trace Context §3.2)
const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

const sampledBit = 1;

export function isTraceparent(text: string | undefined): text is string {
  return text !== undefined && pattern.test(text);
}

export function spanContextOf(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = pattern.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

export function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags & sampledBit ? '01' : '00'}`;
}
