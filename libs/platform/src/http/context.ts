import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { type CallContext, inContext, type Logger } from '../telemetry/logger.ts';
import { idsOf } from '../telemetry/security-log.ts';
import { securityHeaders } from './server.ts';

/**
 * An application with what holds for every request, at the edge and behind it: security headers, no caching, the request's
 * context, and one log line with the caller's ids and without the query string. `contextOf` decides what of the request is believed.
 */
export function createApp(log: Logger, contextOf: (req: Request) => CallContext): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  // Read once, when the first middleware comes.
  app.set('case sensitive routing', true);
  app.use(securityHeaders());
  app.use(requestContext(log, contextOf));
  return app;
}

function requestContext(log: Logger, contextOf: (req: Request) => CallContext) {
  return (req: Request, res: Response, next: NextFunction): void => {
    const context = contextOf(req);
    res.set('x-request-id', context.request_id);
    res.set('cache-control', 'no-store');
    const started = performance.now();
    res.on('close', () => {
      const ms = Math.round(performance.now() - started);
      const operation = res.locals.operation ?? 'none';
      const record = {
        method: req.method,
        operation,
        status: res.statusCode,
        ms,
        complete: res.writableFinished,
        ...idsOf(res.locals.principal),
      };
      const level = req.path === '/livez' || req.path === '/readyz' ? 'trace' : 'info';
      inContext(context, () => log[level](record, 'request'));
    });
    inContext(context, () => next());
  };
}
