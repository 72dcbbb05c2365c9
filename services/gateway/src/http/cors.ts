import { addHeaders, sendEmpty } from '@casewatch/platform';
import type { Request, Response } from 'express';

const methods = 'GET, POST, PUT, DELETE, OPTIONS';
const requestHeaders =
  'Authorization, Content-Type, X-API-KEY, X-API-SECRET, Idempotency-Key, X-Request-Id, traceparent';
const exposedHeaders =
  'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Location, Deprecation, Sunset, Idempotent-Replayed';
const varyOfPreflights = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';

/**
 * Runs before authentication, so that errors carry the headers too. Every OPTIONS answers 204 (interface.md §1, CORS).
 * Returns whether it has answered.
 */
export function createCors(origins: readonly string[]) {
  return (req: Request, res: Response): boolean => {
    const { origin } = req.headers;
    const isPreflight = req.method === 'OPTIONS';
    addHeaders(res, ['vary', isPreflight ? varyOfPreflights : 'Origin']);
    if (origin !== undefined && origins.includes(origin)) {
      const allowed = {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': exposedHeaders,
      };
      addHeaders(res, Object.entries({ ...allowed, ...(isPreflight && preflightHeaders) }).flat());
    }
    if (isPreflight) sendEmpty(res, 204);
    return isPreflight;
  };
}

const preflightHeaders = {
  'access-control-allow-methods': methods,
  'access-control-allow-headers': requestHeaders,
  'access-control-max-age': '600',
};
