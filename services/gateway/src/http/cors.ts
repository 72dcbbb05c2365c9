import type { NextFunction, Request, Response } from 'express';

const methods = 'GET, POST, PUT, DELETE, OPTIONS';
const requestHeaders =
  'Authorization, Content-Type, X-API-KEY, X-API-SECRET, Idempotency-Key, X-Request-Id, traceparent';
const exposedHeaders =
  'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Location, Deprecation, Sunset, Idempotent-Replayed';
const varyOfPreflights = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';

/**
 * Runs before authentication, so that errors carry the headers too. Every OPTIONS answers 204 (interface.md §1, CORS).
 */
export function createCors(origins: readonly string[]) {
  return (req: Request, res: Response, next: NextFunction): void => {
    const { origin } = req.headers;
    const isPreflight = req.method === 'OPTIONS';
    res.set('vary', isPreflight ? varyOfPreflights : 'Origin');
    if (origin !== undefined && origins.includes(origin)) {
      res.set('access-control-allow-origin', origin);
      res.set('access-control-expose-headers', exposedHeaders);
      if (isPreflight) res.set(preflightHeaders);
    }
    if (isPreflight) res.status(204).end();
    else next();
  };
}

const preflightHeaders = {
  'access-control-allow-methods': methods,
  'access-control-allow-headers': requestHeaders,
  'access-control-max-age': '600',
};
