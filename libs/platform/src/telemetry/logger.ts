import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { ServiceName } from '@casewatch/contracts';
import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** What belongs to one request or message, through every await: log lines, events and requests carry it on. */
export type CallContext = {
  readonly request_id: string;
  /** W3C Trace Context: `00-<trace id>-<span id>-<flags>`. */
  readonly traceparent: string;
  /** Keyed hash of the caller's network address, made by the gateway; absent where no outside caller began the work. */
  readonly network?: string;
  /** When the caller stops waiting, ms on this process's monotonic clock; absent where no caller waits (time-left.ts). */
  readonly ends_at_ms?: number;
};

/** Carries `network` from the gateway to the services, over HTTP and NATS. */
export const networkHeader = 'x-casewatch-network';

const storage = new AsyncLocalStorage<CallContext>();

/** Runs `work` in a context; everything it awaits sees it. */
export function inContext<T>(context: CallContext, work: () => T): T {
  return storage.run(context, work);
}

/** The context of the current request or message, if there is one. */
export function currentContext(): CallContext | undefined {
  return storage.getStore();
}

/** A context for work that begins here; what came with it (from a trusted sibling) is taken over. */
export function newContext(requestId?: string, traceparent?: string, network?: string): CallContext {
  return {
    request_id: requestId ?? `req_${randomBytes(12).toString('hex')}`,
    traceparent:
      childOf(traceparent) ?? `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
    ...(network !== undefined && { network }),
  };
}

// version 00, 16-byte trace id, 8-byte parent id, flags (W3C Trace Context §3.2)
const traceparentPattern = /^00-([0-9a-f]{32})-[0-9a-f]{16}-([0-9a-f]{2})$/;

function childOf(traceparent: string | undefined): string | undefined {
  const match = traceparentPattern.exec(traceparent ?? '');
  return match ? `00-${match[1]}-${randomBytes(8).toString('hex')}-${match[2]}` : undefined;
}

/** Field names that must never show their value, wherever they stand in a log record. */
const secretNames = [
  'authorization',
  'password',
  'secret',
  'token',
  'code',
  'email',
  'phone',
  'receipt_number',
  'link',
  'to',
];

/** JSON lines on stdout, with the request id, trace id and network of the current call. */
export function createLogger(service: ServiceName | 'streams', level: string): Logger {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    mixin: () => {
      const context = storage.getStore();
      if (!context) return {};
      const { request_id, traceparent, network } = context;
      return { request_id, trace_id: traceparent.slice(3, 35), ...(network !== undefined && { network }) };
    },
  });
}
