import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { RequestTimeouts } from './with-timeouts.ts';

/** Headers of one hop (RFC 9110 §7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Sends a request and writes the response into `res` as it arrives. Resolves when the client has received it.
 * @throws the error of the connection; the reason of the signal. A response that has begun is then broken off
 */
export async function passResponse(
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { res, signal, answering }: RequestTimeouts & { res: ServerResponse },
): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let controller: Dispatcher.DispatchController | undefined;
  let hasBegun = false;
  function fail(error: Error): void {
    if (hasBegun) res.destroy();
    reject(error);
  }
  function onAbort(): void {
    controller?.abort(signal.reason);
    fail(signal.reason);
  }
  signal.addEventListener('abort', onAbort, { once: true });
  pool.dispatch(request, {
    onRequestStart(started) {
      controller = started;
      if (signal.aborted) started.abort(signal.reason);
    },
    onResponseStart(_controller, statusCode, headers) {
      if (statusCode < 200) return;
      hasBegun = true;
      answering();
      for (const [name, value] of Object.entries(headers)) {
        if (value !== undefined && !hopByHop.has(name)) res.setHeader(name, value);
      }
      res.statusCode = statusCode;
    },
    onResponseData(receiving, chunk) {
      if (res.write(chunk)) return;
      receiving.pause();
      res.once('drain', () => receiving.resume());
    },
    onResponseEnd: () => void res.end(resolve),
    onResponseError: (_controller, error) => fail(error),
  });
  await promise.finally(() => signal.removeEventListener('abort', onAbort));
}
