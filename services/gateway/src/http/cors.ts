import type { NextFunction, Request, Response } from 'express';

const methods = 'GET, POST, PUT, DELETE, OPTIONS';
const requestHeaders =
  'Authorization, Content-Type, X-API-KEY, X-API-SECRET, Idempotency-Key, X-Request-Id, traceparent';
const exposedHeaders =
  'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Location, Deprecation, Sunset, Idempotent-Replayed';

/** Runs before authentication, so that errors carry the headers too. Every OPTIONS answers 204 (interface.md §1, CORS). */
export function cors(origins: readonly string[]) {
  return (req: Request, res: Response, next: NextFunction): void => {
    res.setHeader('vary', 'Origin');
    const origin = req.get('origin');
    const isAllowed = origin !== undefined && origins.includes(origin);
    if (isAllowed) {
      res.set('access-control-allow-origin', origin);
      res.set('access-control-expose-headers', exposedHeaders);
    }
    if (req.method !== 'OPTIONS') {
      next();
      return;
    }
    res.vary('Access-Control-Request-Method').vary('Access-Control-Request-Headers');
    if (isAllowed) {
      res.set('access-control-allow-methods', methods);
      res.set('access-control-allow-headers', requestHeaders);
      res.set('access-control-max-age', '600');
    }
    res.status(204).end();
  };
}
