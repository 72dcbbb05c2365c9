import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServiceName } from '@casewatch/contracts';
import { type Logger, type LoggerOptions, pino } from 'pino';
import { createLogOutput, type LogOutput } from './log-output.ts';
import { describeError, maskFields } from './mask.ts';
import { randomHex } from './random-hex.ts';
import { isTraceparent } from './traceparent.ts';

export type { Logger } from 'pino';

/** The context of one request or message. Log lines, events and requests carry it on. */
export type CallContext = {
  readonly request_id: string;
  /** W3C Trace Context: `00-<trace id>-<span id>-<flags>`. Without tracing the flags are 00: not recorded. */
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

/** The ids of the current call, for a row whose work continues later. */
export function rowContext(): Pick<CallContext, 'request_id' | 'traceparent'> {
  const { request_id, traceparent } = storage.getStore() ?? newContext();
  return { request_id, traceparent };
}

/** Runs work that outlives its caller: its log lines and spans are not of the caller's request. */
export function detached<T>(work: () => T): T {
  return storage.run(newContext(), work);
}

/** A new context; the arguments come from a trusted caller. Work without a caller gets ids for its log lines. */
export function newContext(requestId?: string, traceparent?: string, network?: string): CallContext {
  return {
    request_id: requestId ?? `req_${randomHex(12)}`,
    traceparent: isTraceparent(traceparent) ? traceparent : newTraceparent(),
    ...(network !== undefined && { network }),
  };
}

function newTraceparent(): string {
  const ids = randomHex(24);
  return `00-${ids.slice(0, 32)}-${ids.slice(32)}-00`;
}

/** `all`: the process that has all services (services/all). */
export type ProgramName = ServiceName | 'streams' | 'all';

export function createLogger(service: ProgramName, level: string): Logger {
  const options: LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: maskFields },
    serializers: { err: describeError },
    mixin: () => {
      const context = storage.getStore();
      return context ? logFieldsOf(context) : {};
    },
  };
  if (level === 'silent') return pino(options);
  const output = createLogOutput();
  const log = pino(options, output);
  outputs.set(log, output);
  return log;
}

const outputs = new WeakMap<Logger, LogOutput>();

/** Where a logger writes its lines; undefined if it is silent. */
export function outputOf(log: Logger): LogOutput | undefined {
  return outputs.get(log);
}

/** The fields of every log line of a request. */
export function logFieldsOf({ request_id, traceparent, network }: CallContext) {
  return { request_id, trace_id: traceparent.slice(3, 35), span_id: traceparent.slice(36, 52), network };
}

/** Logs an error as a warning: for work that can be lost, or is repeated anyway. */
export function warning(log: Logger, message: string): (error: unknown) => void {
  return (error) => log.warn({ err: error }, message);
}
