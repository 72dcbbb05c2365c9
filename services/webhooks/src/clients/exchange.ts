import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { wasReused } from './reused-connections.ts';

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  /** The first 16 KiB. */
  body: string;
};

type Controller = Dispatcher.DispatchController;

const readBytes = 64 * 1024;
const keptBytes = 16 * 1024;

/**
 * One request and its answer. A body that ends early or never is cut: the status decides. By undici's `dispatch`, because
 * `request` makes a stream and needs an abort signal for each attempt.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #dispatcher: Dispatcher;
  readonly #settled = Promise.withResolvers<Answer>();
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #dispatch: (() => void) | undefined;
  #controller: Controller | undefined;
  #head: Omit<Answer, 'body'> | undefined;
  #hasAnswer = false;
  #wasRepeated = false;
  #ended: Error | undefined;

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher;
  }

  /** @throws the error of the connection, or the reason of `end`, if there is no status */
  send(options: Dispatcher.DispatchOptions): Promise<Answer> {
    this.#dispatch = () => void this.#dispatcher.dispatch(options, this);
    if (this.#ended) this.#settle(this.#ended);
    else this.#dispatch();
    return this.#settled.promise;
  }

  /** Ends the request now, with what has arrived. */
  end(reason: Error): void {
    this.#ended = reason;
    const controller = this.#controller;
    // Before `send` nobody waits for the error.
    if (this.#dispatch) this.#settle(reason);
    controller?.abort(reason);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(this.#ended);
  }

  onResponseStarted(): void {
    this.#hasAnswer = true;
  }

  onResponseStart(_: Controller, status: number, headers: IncomingHttpHeaders): void {
    const isInformational = status < 200;
    if (!isInformational) this.#head = { status, headers };
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    if (this.#length < keptBytes) this.#chunks.push(chunk.subarray(0, keptBytes - this.#length));
    this.#length += chunk.length;
    if (this.#length >= readBytes) this.end(new Error('the rest of the body is not read'));
  }

  onResponseEnd(): void {
    this.#resolve();
  }

  /** Sends once more at once if the endpoint had closed a kept connection: that is no failure of the endpoint. */
  onResponseError(_: Controller, error: Error): void {
    if (this.#canRepeat(error)) this.#repeat();
    else this.#settle(error);
  }

  #canRepeat(error: Error): boolean {
    return !this.#wasRepeated && !this.#ended && !this.#hasAnswer && wasReused(error);
  }

  #repeat(): void {
    this.#wasRepeated = true;
    this.#dispatch?.();
  }

  #settle(error: Error): void {
    this.#letGo();
    if (this.#head) this.#resolve();
    else this.#settled.reject(error);
  }

  #resolve(): void {
    this.#letGo();
    if (this.#head)
      this.#settled.resolve({ ...this.#head, body: Buffer.concat(this.#chunks).toString('utf8') });
  }

  /** Else what was sent stays in memory until the next major garbage collection (docs/adr/0057). */
  #letGo(): void {
    this.#controller = undefined;
    this.#dispatch = undefined;
  }
}
