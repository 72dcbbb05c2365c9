import type { ServerResponse } from 'node:http';
import { ApiError } from '@casewatch/platform';

/** `answerMs`: until the response begins; `receiveMs`: from then until the client has received all of it. */
export type Timeouts = { readonly answerMs: number; readonly receiveMs: number };

export type RequestTimeouts = {
  readonly signal: AbortSignal;
  /** Starts `receiveMs`. */
  answering(): void;
};

/**
 * Runs `work` until the client leaves or a time is over; the client then gets its error at once.
 * @throws ApiError service_unavailable when a time is over
 */
export async function withTimeouts(
  res: ServerResponse,
  { answerMs, receiveMs }: Timeouts,
  work: (timeouts: RequestTimeouts) => Promise<void>,
): Promise<void> {
  const ended = new AbortController();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (reason: Error) => {
    reject(reason);
    ended.abort(reason);
  };
  const onClose = () => {
    // A complete response also emits close.
    if (!res.writableFinished) abort(new ClientGoneError());
  };
  const late = (allowedMs: number) =>
    abort(new ApiError('service_unavailable', { detail: tookOver(allowedMs) }));
  let timer = setTimeout(late, answerMs, answerMs);
  const answering = () => {
    clearTimeout(timer);
    timer = setTimeout(late, receiveMs, receiveMs);
  };
  res.once('close', onClose);
  try {
    await Promise.race([work({ signal: ended.signal, answering }), aborted]);
  } catch (error) {
    if (!(error instanceof ClientGoneError || res.destroyed)) throw error;
  } finally {
    clearTimeout(timer);
    res.off('close', onClose);
  }
}

function tookOver(ms: number): string {
  return `took over ${Math.round(ms)} ms`;
}

class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}
