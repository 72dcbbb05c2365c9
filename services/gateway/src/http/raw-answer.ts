import { STATUS_CODES } from 'node:http';
import {
  type ApiError,
  newContext,
  retryAfterHeader,
  securityHeaderLines,
  toProblem,
} from '@casewatch/platform';

const headerLines = securityHeaderLines();

/** An error in the one shape as text of HTTP, where Node has no response. It announces the end of the connection. */
export function rawAnswer(error: ApiError, requestId = newContext().request_id): string {
  const body = JSON.stringify(toProblem(error, requestId));
  const { retryAfterS } = error;
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...(retryAfterS === undefined ? [] : [`Retry-After: ${retryAfterHeader(retryAfterS)}`]),
    'Cache-Control: no-store',
    ...headerLines,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
