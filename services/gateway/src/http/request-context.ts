import { inContext, type Logger, newContext } from '@casewatch/platform';
import type { NextFunction, Request, Response } from 'express';

/** What a caller may choose as a request's id (interface.md §1). */
const requestIdPattern = /^[A-Za-z0-9._-]{8,64}$/;

/**
 * Gives a request its id, taken over if it is well-formed, and a trace that begins here: what came from outside is
 * not trusted. One log line per request, without the query string.
 */
export function requestContext(log: Logger) {
  return (req: Request, res: Response, next: NextFunction): void => {
    const given = req.get('x-request-id');
    const context = newContext(given !== undefined && requestIdPattern.test(given) ? given : undefined);
    res.set('x-request-id', context.request_id);
    res.set('cache-control', 'no-store');
    const started = performance.now();
    res.on('close', () => {
      const ms = Math.round(performance.now() - started);
      const record = {
        method: req.method,
        operation: res.locals.operation ?? 'none',
        status: res.statusCode,
        ms,
      };
      const level = req.path === '/livez' || req.path === '/readyz' ? 'trace' : 'info';
      inContext(context, () => log[level]({ ...record, complete: res.writableFinished }, 'request'));
    });
    inContext(context, () => next());
  };
}
