import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServiceName } from '@casewatch/contracts';
import { type Logger, type LoggerOptions, pino } from 'pino';
import { createLogOutput } from './log-output.ts';
import { describeError, maskFields } from './mask.ts';
import { randomHex } from './random-hex.ts';

export type { Logger } from 'pino';

/** The context of one request or message. Log lines, events and requests carry it on. */
export type CallContext = {
  readonly request_id: string;
  /** W3C Trace Context: `00-<trace id>-<span id>-<flags>`. */
  readonly traceparent: string;
  /** The gateway's keyed hash of the caller's network address. */
  readonly network?: string;
  /** When the caller stops waiting, ms on this process's monotonic clock (time-left.ts). */
  readonly ends_at_ms?: number;
};

export const networkHeader = 'x-casewatch-network';

const storage = new AsyncLocalStorage<CallContext>();

export function inContext<T>(context: CallContext, work: () => T): T {
  return storage.run(context, work);
}

export function currentContext(): CallContext | undefined {
  return storage.getStore();
}

/** A new context; the arguments come from a trusted caller. */
export function newContext(requestId?: string, traceparent?: string, network?: string): CallContext {
  return {
    request_id: requestId ?? `req_${randomHex(12)}`,
    traceparent: childOf(traceparent) ?? `00-${randomHex(16)}-${randomHex(8)}-01`,
    ...(network !== undefined && { network }),
  };
}

// version 00, 16-byte trace id, 8-byte parent id, flags (W3C Trace Context §3.2)
const traceparentPattern = /^00-([0-9a-f]{32})-[0-9a-f]{16}-([0-9a-f]{2})$/;

function childOf(traceparent: string | undefined): string | undefined {
  const match = traceparentPattern.exec(traceparent ?? '');
  return match ? `00-${match[1]}-${randomHex(8)}-${match[2]}` : undefined;
}

export function createLogger(service: ServiceName | 'streams', level: string): Logger {
  const options: LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: maskFields },
    serializers: { err: describeError },
    mixin: () => {
      const context = storage.getStore();
      if (!context) return {};
      const { request_id, traceparent, network } = context;
      return { request_id, trace_id: traceparent.slice(3, 35), ...(network !== undefined && { network }) };
    },
  };
  return level === 'silent' ? pino(options) : pino(options, createLogOutput());
}
