import type { IncomingMessage } from 'node:http';
import type { Meter } from '@opentelemetry/api';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { type CallContext, inContext, type Logger } from '../telemetry/logger.ts';
import { createInstrument } from '../telemetry/metric-table.ts';
import { platformMetrics } from '../telemetry/platform-metrics.ts';
import { idsOf } from '../telemetry/security-log.ts';
import { endRequestSpan, startRequestSpan } from './request-span.ts';

type AppOptions = {
  /** Decides which headers are trusted. */
  contextOf: (req: Request) => CallContext;
  /** Each request begins a trace: its traceparent comes from outside, and is linked. */
  isEdge?: boolean;
  meter?: Meter;
  /** Headers of every response. */
  headers?: ReadonlyMap<string, string>;
};

/** No caching, and one log line for each request. */
export function createApp(log: Logger, options: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  // Has an effect only before the first middleware.
  app.set('case sensitive routing', true);
  app.use(requestContext(log, options));
  return app;
}

function requestContext(log: Logger, { contextOf, meter, headers = new Map(), isEdge = false }: AppOptions) {
  const duration = meter && createInstrument(meter, platformMetrics, 'http.server.request.duration.seconds');
  return (req: Request, res: Response, next: NextFunction): void => {
    const { context, span } = startRequestSpan(req, contextOf(req), isEdge);
    for (const [name, value] of headers) res.setHeader(name, value);
    res.setHeader('x-request-id', context.request_id);
    res.setHeader('cache-control', 'no-store');
    const started = performance.now();
    res.on('close', () => {
      const record = {
        method: req.method,
        operation: res.locals.operation ?? 'none',
        status: res.statusCode,
        ms: Math.round(performance.now() - started),
        complete: res.writableFinished,
        ...idsOf(res.locals.principal),
      };
      const level = req.path === '/livez' || req.path === '/readyz' ? 'trace' : 'info';
      inContext(context, () => log[level](record, 'request'));
      if (span) endRequestSpan(span, req, res);
      duration?.record((performance.now() - started) / 1_000, {
        operation: record.operation,
        http_request_method: methodOf(req),
        http_response_status_code: res.statusCode,
      });
    });
    inContext(context, () => next());
  };
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

/** A closed set: a caller can send any word as a method. */
export function methodOf({ method = '' }: IncomingMessage): string {
  return methods.has(method) ? method : 'other';
}
