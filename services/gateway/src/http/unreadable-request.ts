import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  ApiError,
  inContext,
  type Logger,
  newContext,
  securityHeaderLines,
  toProblem,
} from '@casewatch/platform';

const headerLines = securityHeaderLines();

/** Requests that Node cannot parse get the same error shape as all others. */
export function answerUnreadable(server: Server, log: Logger): void {
  const responses = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (req: IncomingMessage, res: ServerResponse) => responses.set(req.socket, res));
  server.on('clientError', (cause: Error, socket: Duplex) => {
    const res = responses.get(socket);
    // A second response on this connection would answer another request.
    const isAnswering = res?.headersSent === true && !res.writableFinished;
    if (socket.writable && !isAnswering) socket.write(answer(refusalOf(cause), log));
    socket.destroy();
  });
}

/** Codes: Node documentation, event clientError. */
function refusalOf(cause: Error): ApiError {
  const code = 'code' in cause ? cause.code : undefined;
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('headers_too_large', { cause });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout', { cause });
  return new ApiError('validation_failed', { cause, message: 'The request is not valid HTTP.' });
}

function answer(error: ApiError, log: Logger): string {
  const context = newContext();
  inContext(context, () => log.info({ problem: error.code, status: error.status }, 'request not readable'));
  const body = JSON.stringify(toProblem(error, context.request_id));
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${context.request_id}`,
    'Cache-Control: no-store',
    ...headerLines,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
