import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { RequestTimeouts } from './with-timeouts.ts';

/** Headers of one hop (RFC 9110 §7.6.1). */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Largest body that is written together with the head, bytes: Node sends a text of up to 16 KiB without another copy. */
const maxTogether = 12 * 1024;

/**
 * Sends a request and writes the response into `res` as it arrives, with the headers that `res` has and those of the service,
 * which replace them. Resolves when the client has received it.
 * @throws the error of the connection; the reason of an early end. A response that has begun is then broken off
 */
export function passResponse(
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  res: ServerResponse,
  timeouts: RequestTimeouts,
): Promise<void> {
  if (timeouts.reason) return Promise.reject(timeouts.reason);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  pool.dispatch(request, new PassedResponse(res, timeouts, { resolve, reject }));
  return promise;
}

type Settle = { readonly resolve: () => void; readonly reject: (error: Error) => void };

/** One class instead of closures for each request: it lets go of undici's controller at the end, which would keep all of it in memory. */
class PassedResponse implements Dispatcher.DispatchHandler {
  readonly #res: ServerResponse;
  readonly #settle: Settle;
  readonly #timeouts: RequestTimeouts;
  #controller: Dispatcher.DispatchController | undefined;
  #hasBegun = false;
  #hasEnded = false;
  /** Announced length of the body. */
  #length: string | undefined;

  constructor(res: ServerResponse, timeouts: RequestTimeouts, settle: Settle) {
    this.#res = res;
    this.#settle = settle;
    this.#timeouts = timeouts;
    timeouts.underWay = this;
  }

  /** The early end. */
  breakOff(reason: Error): void {
    this.#controller?.abort(reason);
    this.#fail(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    const { reason } = this.#timeouts;
    if (reason) controller.abort(reason);
  }

  onResponseStart(_: unknown, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) return;
    this.#hasBegun = true;
    this.#length = headers['content-length'];
    this.#timeouts.answering();
    this.#res.writeHead(statusCode, endToEnd(headers));
  }

  onResponseData(receiving: Dispatcher.DispatchController, chunk: Buffer): void {
    const res = this.#res;
    if (chunk.length <= maxTogether && String(chunk.length) === this.#length) {
      this.#hasEnded = true;
      writeTogether(res, chunk);
      res.end(this.#settle.resolve);
      return;
    }
    if (res.write(chunk)) return;
    receiving.pause();
    res.once('drain', () => receiving.resume());
  }

  onResponseEnd(): void {
    this.#controller = undefined;
    if (!this.#hasEnded) this.#res.end(this.#settle.resolve);
  }

  onResponseError(_: unknown, error: Error): void {
    this.#fail(error);
  }

  #fail(error: Error): void {
    this.#controller = undefined;
    if (this.#hasBegun) this.#res.destroy();
    this.#settle.reject(error);
  }
}

/** One text, one write. Latin-1 keeps each byte of the body. */
function writeTogether(res: ServerResponse, body: Buffer): void {
  const { socket } = res;
  socket?.cork();
  res.write(body.toString('latin1'), 'latin1');
  socket?.uncork();
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const passed = { ...headers };
  for (const name of hopByHop) delete passed[name];
  return passed;
}
