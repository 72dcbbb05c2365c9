import type { ServerResponse } from 'node:http';
import { ApiError } from '@casewatch/platform';

/** How long a request may take, ms: until its answer begins, and from then until the client has all of it. */
export type Waits = { readonly answerMs: number; readonly receiveMs: number };

/** What work on a request must know of its end. */
export type Patience = {
  /** Ends when the client has left, or waited long enough. */
  readonly signal: AbortSignal;
  /** The answer begins: from now on only a client that does not receive it ends the work. */
  answering(): void;
};

/**
 * Does what a request needs until the client leaves or a wait is over, whatever of it then still hangs: the client hears
 * at once, and the work hears by its signal.
 * @throws ApiError service_unavailable when a wait is over; what the work throws
 */
export async function untilGivenUp(
  res: ServerResponse,
  { answerMs, receiveMs }: Waits,
  work: (patience: Patience) => Promise<void>,
): Promise<void> {
  const ended = new AbortController();
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const giveUp = (reason: Error) => {
    reject(reason);
    ended.abort(reason);
  };
  const onClose = () => {
    // A response closes after it was sent whole, too.
    if (!res.writableFinished) giveUp(new ClientGoneError());
  };
  const late = (allowedMs: number) =>
    giveUp(new ApiError('service_unavailable', { detail: tookOver(allowedMs) }));
  let timer = setTimeout(late, answerMs, answerMs);
  const answering = () => {
    clearTimeout(timer);
    timer = setTimeout(late, receiveMs, receiveMs);
  };
  res.once('close', onClose);
  try {
    await Promise.race([work({ signal: ended.signal, answering }), givenUp]);
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
