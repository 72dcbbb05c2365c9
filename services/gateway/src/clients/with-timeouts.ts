import type { ServerResponse } from 'node:http';
import { ApiError } from '@casewatch/platform';
import { type TimeLimit, unwatch, watch, watchAgain } from './time-limits.ts';

/** `answerMs`: until the response begins; `receiveMs`: from then until the client has received all of it. */
export type Timeouts = { readonly answerMs: number; readonly receiveMs: number };

/** The early end of a request: the client leaves, or a time is over. */
export class RequestTimeouts implements TimeLimit {
  /** The exchange with a service, if there is one: it is broken off at the early end. */
  underWay: { breakOff(reason: Error): void } | undefined;
  /** Why the request has ended early. */
  reason: Error | undefined;
  endsAt: number;
  place = 0;
  #limitMs: number;
  readonly #receiveMs: number;
  readonly #reject: (reason: Error) => void;
  #controller: AbortController | undefined;

  constructor({ answerMs, receiveMs }: Timeouts, reject: (reason: Error) => void) {
    this.#limitMs = answerMs;
    this.#receiveMs = receiveMs;
    this.#reject = reject;
    this.endsAt = performance.now() + answerMs;
    watch(this);
  }

  /** Made when it is read: most requests wait for nothing that needs it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.reason) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  /** Starts `receiveMs`. */
  answering(): void {
    this.#limitMs = this.#receiveMs;
    this.endsAt = performance.now() + this.#receiveMs;
    watchAgain(this);
  }

  end(reason: Error): void {
    unwatch(this);
    this.reason ??= reason;
    this.#reject(reason);
    this.underWay?.breakOff(reason);
    this.#controller?.abort(reason);
  }

  onTimeOver(): void {
    const detail = `took over ${Math.round(this.#limitMs)} ms`;
    this.end(new ApiError('service_unavailable', { detail }));
  }

  stop(): void {
    unwatch(this);
    this.underWay = undefined;
  }
}

/**
 * Runs `work` until the client leaves or a time is over; the client then gets its error immediately.
 * @throws ApiError service_unavailable when a time is over
 */
export async function withTimeouts(
  res: ServerResponse,
  waits: Timeouts,
  work: (timeouts: RequestTimeouts) => Promise<void>,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timeouts = new RequestTimeouts(waits, reject);
  const onClose = () => {
    // A complete response also emits close.
    if (!res.writableFinished) timeouts.end(new ClientGoneError());
  };
  res.on('close', onClose);
  work(timeouts).then(resolve, reject);
  try {
    await promise;
  } catch (error) {
    if (!(error instanceof ClientGoneError || res.destroyed)) throw error;
  } finally {
    timeouts.stop();
    res.off('close', onClose);
  }
}

class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}
