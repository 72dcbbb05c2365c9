import type { IncomingMessage } from 'node:http';
import type { Meter } from '@opentelemetry/api';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { ApiError } from '../errors.ts';
import { type CallContext, inContext, type Logger } from '../telemetry/logger.ts';
import { createInstrument } from '../telemetry/metric-table.ts';
import { platformMetrics } from '../telemetry/platform-metrics.ts';
import { createRequestLog } from '../telemetry/request-log.ts';
import { idsOf } from '../telemetry/security-log.ts';
import { endRequestSpan, probes, startRequestSpan } from './request-span.ts';
import { localsOf } from './response.ts';
import { sendError } from './send-error.ts';

export type AppOptions = {
  log: Logger;
  meter?: Meter | undefined;
  /** Decides which headers are trusted. */
  contextOf: (req: Request) => CallContext;
  /** Each request begins a trace: its traceparent comes from outside, and is linked. */
  isEdge?: boolean;
  /** Headers of every response; a route may replace them. */
  headers?: Readonly<Record<string, string>>;
};

/**
 * An Express application of which every request has a context, one log line and an answer. `addRoutes` adds all that it
 * serves; an error that is thrown there becomes the response, and what matches nothing is 404.
 */
export function createApp(options: AppOptions, addRoutes: (app: Express) => void): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  // Has an effect only before the first middleware.
  app.set('case sensitive routing', true);
  app.use(beginRequest(options));
  addRoutes(app);
  app.use(() => {
    throw new ApiError('route_not_found');
  });
  // Express recognizes a handler of errors by its four parameters.
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) =>
    sendError(options.log, error, req, res),
  );
  return app;
}

function beginRequest({ log, meter, contextOf, isEdge = false, headers = {} }: AppOptions) {
  const record = recorder(log, meter);
  const headersOfAll = { ...headers, 'cache-control': 'no-store' };
  return (req: Request, res: Response, next: NextFunction): void => {
    const started = performance.now();
    // Read now: a router may change the path of a request that it serves.
    const isProbe = probes.has(req.path);
    const { context, span } = startRequestSpan(req, contextOf(req), isEdge);
    localsOf(res).context = context;
    res.set(headersOfAll).set('x-request-id', context.request_id);
    res.on('close', () => {
      record(req, res, { started, isProbe });
      if (span) endRequestSpan(span, req, res);
    });
    inContext(context, next);
  };
}

/** Writes the log line of a request, and counts it. */
function recorder(log: Logger, meter: Meter | undefined) {
  const logRequest = createRequestLog(log);
  const duration = meter && createInstrument(meter, platformMetrics, 'http.server.request.duration.seconds');
  return (req: Request, res: Response, { started, isProbe }: { started: number; isProbe: boolean }): void => {
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
    if (operation === 'none' && isProbe) inContext(context, () => log.trace(line, 'request'));
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
function methodOf({ method = '' }: IncomingMessage): string {
  return methods.has(method) ? method : 'other';
}
