import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ApiError,
  createInstrument,
  methodOf,
  platformMetrics,
  retryAfterHeader,
  securityHeaders,
  toProblem,
} from '@casewatch/platform';
import type { Context } from '../context.ts';
import { tooManyWaiting } from '../limits/caller-concurrency.ts';
import { limitHeaders } from './limit-headers.ts';
import { requestIdOf } from './request-id.ts';

const headersOfAll = [...securityHeaders].flat().concat('cache-control', 'no-store', 'vary', 'Origin');
const problemType = 'application/problem+json';

/**
 * Refuses a caller who was over a limit within the last second and still is. Runs before Express and authentication,
 * which take most of the time of a refusal. Returns whether the request was answered.
 */
export function createRepeatedRefusal({ refusals, concurrency, limits, meter }: Context) {
  const duration = createInstrument(meter, platformMetrics, 'http.server.request.duration.seconds');
  const waitingBody = bodyOf(tooManyWaiting());
  const limitBody = bodyOf(new ApiError('rate_limited'));

  return (req: IncomingMessage, res: ServerResponse): boolean => {
    const refused = refusals.find(req);
    // A browser needs the headers of CORS, and may get a page.
    const isBrowser = req.headers.origin !== undefined || req.headers.accept?.includes('text/html');
    if (refused === undefined || isBrowser) return false;
    const { caller, policy, id } = refused;
    if (!concurrency.isFull(caller) && limits.peek(policy, id).isAllowed) return false;
    const started = performance.now();
    refused.repeats += 1;
    const verdict = limits.countRefused(policy, id);
    const requestId = requestIdOf(req.headers['x-request-id']);
    const body = (verdict.isAllowed ? waitingBody : limitBody)(requestId);
    const type = req.headers.accept?.includes(problemType) ? problemType : 'application/json';
    res.writeHead(429, [
      ...headersOfAll,
      ...limitHeaders(verdict),
      ...['retry-after', verdict.isAllowed ? '1' : retryAfterHeader(verdict.retryAfterS)],
      ...['x-request-id', requestId],
      ...['content-type', `${type}; charset=utf-8`, 'content-length', String(Buffer.byteLength(body))],
    ]);
    res.end(body);
    duration.record((performance.now() - started) / 1_000, {
      operation: 'none',
      http_request_method: methodOf(req),
      http_response_status_code: 429,
    });
    return true;
  };
}

const marker = '{request_id}';

function bodyOf(error: ApiError): (requestId: string) => string {
  const parts = JSON.stringify(toProblem(error, marker)).split(marker);
  return (requestId) => parts.join(requestId);
}
