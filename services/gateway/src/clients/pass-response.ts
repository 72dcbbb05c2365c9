import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
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

/** A response without a head yet, and the headers that it will have: names and values in turn. */
export type OpenResponse = { readonly res: ServerResponse; readonly headers: readonly string[] };

/**
 * Sends a request and writes the response into `res` as it arrives. Resolves when the client has received it.
 * @throws the error of the connection; the reason of an early end. A response that has begun is then broken off
 */
export function passResponse(
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { res, headers: ownHeaders, timeouts }: OpenResponse & { timeouts: RequestTimeouts },
): Promise<void> {
  if (timeouts.reason) return Promise.reject(timeouts.reason);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let controller: Dispatcher.DispatchController | undefined;
  let hasBegun = false;
  function fail(error: Error): void {
    if (hasBegun) res.destroy();
    reject(error);
  }
  timeouts.onEnd = (reason) => {
    controller?.abort(reason);
    fail(reason);
  };
  pool.dispatch(request, {
    onRequestStart(started) {
      controller = started;
      if (timeouts.reason) started.abort(timeouts.reason);
    },
    onResponseStart(_controller, statusCode, headers) {
      if (statusCode < 200) return;
      hasBegun = true;
      timeouts.answering();
      res.writeHead(statusCode, merge(ownHeaders, headers));
    },
    onResponseData(receiving, chunk) {
      if (res.write(chunk)) return;
      receiving.pause();
      res.once('drain', () => receiving.resume());
    },
    onResponseEnd: () => void res.end(resolve),
    onResponseError: (_controller, error) => fail(error),
  });
  return promise;
}

/** The headers of the service replace our own. */
function merge(own: readonly string[], theirs: IncomingHttpHeaders): string[] {
  const merged: string[] = [];
  for (let i = 0; i < own.length; i += 2) {
    const [name = '', value = ''] = [own[i], own[i + 1]];
    if (theirs[name] === undefined) merged.push(name, value);
  }
  for (const name of Object.keys(theirs)) {
    if (hopByHop.has(name)) continue;
    for (const value of [theirs[name] ?? []].flat()) merged.push(name, value);
  }
  return merged;
}
