import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, inContext, newContext } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { countRefused } from './count-refused.ts';
import { rawAnswer } from './raw-answer.ts';
import { callersRequestId } from './request-id.ts';

/** Time that a client has to read the response, ms. */
const readMs = 1_000;

/** Requests that Node cannot parse, or does not answer, get the same error shape as all others. */
export function answerUnreadable(server: Server, ctx: Context): void {
  const responses = new WeakMap<Duplex, ServerResponse>();
  const answered = new WeakSet<Duplex>();
  const refuse = (socket: Duplex, error: ApiError, requestId?: string) => {
    answered.add(socket);
    // Behind a proxy, the address would be that of the proxy.
    const isDirect = ctx.config.TRUSTED_HOPS === 0 && socket instanceof Socket;
    const counted = isDirect ? countRefused(ctx, socket.remoteAddress ?? 'unknown', error).error : error;
    const context = newContext(requestId);
    const { code: problem, status } = counted;
    inContext(context, () => ctx.log.info({ problem, status }, 'request not readable'));
    socket.end(rawAnswer(counted, context.request_id));
    // A connection that is cut now could lose the response.
    const timer = setTimeout(() => socket.destroy(), readMs);
    socket.once('close', () => clearTimeout(timer));
  };
  server.on('request', (req: IncomingMessage, res: ServerResponse) => responses.set(req.socket, res));
  server.on('clientError', (cause: Error, socket: Duplex) => {
    // What follows on the connection is not readable either.
    if (answered.has(socket)) return;
    const res = responses.get(socket);
    // A second response on this connection would answer another request.
    const isAnswering = res?.headersSent === true && !res.writableFinished;
    if (socket.writable && !isAnswering) refuse(socket, refusalOf(cause));
    else socket.destroy();
  });
  server.on('connect', ({ headers }: IncomingMessage, socket: Duplex) => {
    const message = 'This is no proxy: the method CONNECT is not known here.';
    socket.on('error', () => socket.destroy());
    // Otherwise the end of the client is not noticed.
    socket.resume();
    refuse(socket, new ApiError('validation_failed', { message }), callersRequestId(headers['x-request-id']));
  });
}

/** Codes: Node documentation, event clientError. */
function refusalOf(cause: Error): ApiError {
  const code = 'code' in cause ? cause.code : undefined;
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('headers_too_large', { cause });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout', { cause });
  return new ApiError('validation_failed', { cause, message: 'The request is not valid HTTP.' });
}
