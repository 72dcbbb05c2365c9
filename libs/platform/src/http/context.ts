import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { type CallContext, inContext, type Logger } from '../telemetry/logger.ts';
import { idsOf } from '../telemetry/security-log.ts';
import { endRequestSpan, startRequestSpan } from './request-span.ts';

type AppOptions = {
  /** Decides which headers are trusted. */
  contextOf: (req: Request) => CallContext;
  /** Each request begins a trace: its traceparent comes from outside, and is linked. */
  isEdge?: boolean;
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

function requestContext(log: Logger, { contextOf, headers = new Map(), isEdge = false }: AppOptions) {
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
    });
    inContext(context, () => next());
  };
}
