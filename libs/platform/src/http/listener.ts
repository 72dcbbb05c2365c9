import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Meter } from '@opentelemetry/api';
import type { Express, Request, Response } from 'express';
import { ApiError } from '../errors.ts';
import type { ServerTls } from '../settings/tls-settings.ts';
import { type CallContext, inContext, type Logger } from '../telemetry/logger.ts';
import { createInstrument } from '../telemetry/metric-table.ts';
import { platformMetrics } from '../telemetry/platform-metrics.ts';
import { createRequestLog } from '../telemetry/request-log.ts';
import { idsOf } from '../telemetry/security-log.ts';
import { messageClasses } from './express-app.ts';
import { endRequestSpan, probes, startRequestSpan } from './request-span.ts';
import { type Locals, localsOf, setCollectedHeaders } from './response.ts';
import type { FindRoute } from './routes.ts';
import { sendError } from './send-error.ts';
import { createHttpServer } from './tls.ts';

/** @throws ApiError the answer */
export type OperationListener = (req: Request, res: Response) => Promise<void>;

export type ListenerOptions = {
  log: Logger;
  /** Everything that is no operation. Its `messageClasses` make the requests and responses. */
  app: Express;
  /** Decides which headers are trusted. */
  contextOf: (req: Request) => CallContext;
  /** Runs first; returns whether it has answered. @throws ApiError */
  before?: (req: Request, res: Response) => boolean;
  findRoute?: FindRoute<OperationListener>;
  /** Each request begins a trace: its traceparent comes from outside, and is linked. */
  isEdge?: boolean;
  meter?: Meter | undefined;
  /** Headers of every response: names and values in turn. */
  headers?: readonly string[];
};

/**
 * A context, one log line and an answer for each request. Operations do not pass through Express: its chain of middleware
 * takes more time than the rest of the gateway (docs/adr/0055).
 */
export function createListener(options: ListenerOptions): RequestListener {
  const { contextOf, isEdge = false, headers = [] } = options;
  const serve = server(options);
  const record = recorder(options);
  return (incoming, outgoing) => {
    // The classes of `app` have made them.
    const [req, res] = [incoming as Request, outgoing as Response];
    const started = performance.now();
    const { context, span } = startRequestSpan(req, contextOf(req), isEdge);
    const locals: Locals = {
      context,
      headers: [...headers, 'x-request-id', context.request_id, 'cache-control', 'no-store'],
    };
    res.locals = locals;
    res.on('close', () => {
      record(req, res, started);
      if (span) endRequestSpan(span, req, res);
    });
    inContext(context, () => serve(req, res));
  };
}

export function createAppServer(options: ListenerOptions, tls?: ServerTls): Server {
  return createHttpServer(createListener(options), tls, messageClasses(options.app));
}

function server({ log, app, before, findRoute }: ListenerOptions) {
  return (req: Request, res: Response): void => {
    const fail = (error: unknown) => sendError(log, error, req, res);
    try {
      if (before?.(req, res)) return;
      const operation = findRoute?.(req);
      if (operation) {
        operation(req, res).catch(fail);
        return;
      }
      setCollectedHeaders(res);
      app(req, res, (error?: unknown) => fail(error ?? new ApiError('route_not_found')));
    } catch (error) {
      fail(error);
    }
  };
}

/** Writes the log line of a request, and counts it. */
function recorder({ log, meter }: ListenerOptions) {
  const logRequest = createRequestLog(log);
  const duration = meter && createInstrument(meter, platformMetrics, 'http.server.request.duration.seconds');
  return (req: Request, res: Response, started: number): void => {
    const { context, operation = 'none', principal } = localsOf(res);
    const ms = performance.now() - started;
    const line = {
      method: req.method,
      operation,
      status: res.statusCode,
      ms: Math.round(ms),
      complete: res.writableFinished,
      ...idsOf(principal),
    };
    if (operation === 'none' && probes.has(req.path)) inContext(context, () => log.trace(line, 'request'));
    else logRequest(context, line);
    duration?.record(ms / 1_000, {
      operation,
      http_request_method: methodOf(req),
      http_response_status_code: res.statusCode,
    });
  };
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

/** A closed set: a caller can send any word as a method. */
export function methodOf({ method = '' }: IncomingMessage): string {
  return methods.has(method) ? method : 'other';
}
