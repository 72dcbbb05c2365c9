import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, faultPage, inContext, newContext, type PageAnswer } from '@casewatch/platform';
import express from 'express';
import type { Context } from '../context.ts';
import { countRefused } from './count-refused.ts';
import { rawAnswer } from './raw-answer.ts';
import { callersRequestId } from './request-id.ts';

/** What could be read of a request. */
type Known = { readonly requestId?: string | undefined; readonly head?: IncomingMessage | undefined };

/** Time that a client has to read the response, ms. */
const readMs = 1_000;

/** Requests that Node cannot parse, or does not answer, get the same error shape as all others. */
export function answerUnreadable(server: Server, ctx: Context): void {
  const responses = new WeakMap<Duplex, ServerResponse>();
  const answered = new WeakSet<Duplex>();
  const refuse = (socket: Duplex, error: ApiError, { requestId, head }: Known = {}) => {
    answered.add(socket);
    // Behind a proxy, the address would be that of the proxy.
    const isDirect = ctx.config.TRUSTED_HOPS === 0 && socket instanceof Socket;
    const counted = isDirect ? countRefused(ctx, socket.remoteAddress ?? 'unknown', error).error : error;
    const context = newContext(requestId);
    const { code: problem, status } = counted;
    inContext(context, () => ctx.log.info({ problem, status }, 'request not readable'));
    const { request_id } = context;
    const page = head ? pageFor(counted, head, request_id) : null;
    socket.end(rawAnswer(counted, { requestId: request_id, page }));
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
    if (socket.writable && !isAnswering) refuse(socket, refusalOf(cause), { head: headOf(cause) });
    else socket.destroy();
  });
  server.on('connect', ({ headers }: IncomingMessage, socket: Duplex) => {
    const message = 'This is not a proxy; the method CONNECT is not supported.';
    socket.on('error', () => socket.destroy());
    // Otherwise the end of the client is not noticed.
    socket.resume();
    const requestId = callersRequestId(headers['x-request-id']);
    refuse(socket, new ApiError('validation_failed', { message }), { requestId });
  });
}

/** Codes: Node documentation, event clientError. */
function refusalOf(cause: Error): ApiError {
  const code = 'code' in cause ? cause.code : undefined;
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('headers_too_large', { cause });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout', { cause });
  return new ApiError('validation_failed', { cause, message: 'The request is not valid HTTP.' });
}

/** Only Express reads what a request accepts; this application sends nothing. */
function pageFor(error: ApiError, head: IncomingMessage, requestId: string): PageAnswer | null {
  let page: PageAnswer | null = null;
  const reader = express().use((req) => {
    page = faultPage(error, req, requestId);
  });
  reader(head, new ServerResponse(head));
  return page;
}

/**
 * The request whose head could not be parsed whole, as far as it is in the packet that Node gives with the error: browsers
 * send cookies, which can be too many, behind everything else. Undefined without a request line.
 */
function headOf(cause: Error): IncomingMessage | undefined {
  if (!('rawPacket' in cause && Buffer.isBuffer(cause.rawPacket))) return undefined;
  const [first = '', ...lines] = cause.rawPacket.toString('latin1').split('\r\n');
  // Method, path and version of RFC 9112 §3.
  const [, method, url] = /^([A-Z]+) (\/\S*) HTTP\/1\.[01]$/.exec(first) ?? [];
  if (method === undefined || url === undefined) return undefined;
  const head = new IncomingMessage(new Socket());
  Object.assign(head, { method, url });
  for (const line of lines) {
    const colon = line.indexOf(':');
    head.headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return head;
}
