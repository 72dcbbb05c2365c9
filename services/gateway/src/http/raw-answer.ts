import { STATUS_CODES } from 'node:http';
import {
  type ApiError,
  newContext,
  type PageAnswer,
  retryAfterHeader,
  securityHeaders,
  toProblem,
} from '@casewatch/platform';

type Ask = { readonly requestId?: string; readonly page?: PageAnswer | null };

/**
 * An error in the one shape, or its page, as text of HTTP, where Node has no response. It announces the end of the
 * connection.
 */
export function rawAnswer(
  error: ApiError,
  { requestId = newContext().request_id, page = null }: Ask = {},
): string {
  const body = page?.page ?? JSON.stringify(toProblem(error, requestId));
  const { retryAfterS } = error;
  const headers = { ...securityHeaders, ...page?.headers };
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    `Content-Type: ${page ? 'text/html' : 'application/json'}; charset=utf-8`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...(retryAfterS === undefined ? [] : [`Retry-After: ${retryAfterHeader(retryAfterS)}`]),
    'Cache-Control: no-store',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
